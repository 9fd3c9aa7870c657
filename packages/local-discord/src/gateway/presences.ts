import { z } from 'zod';

/** What a bot says of itself. Source: 'Gateway Events', Update Presence. */
const presenceShape = z.object({
  since: z.number().nullish(),
  activities: z.array(z.looseObject({ name: z.string(), type: z.int() })).default([]),
  status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']).default('online'),
  afk: z.boolean().nullish(),
});

export interface Presence {
  status: 'online' | 'dnd' | 'idle' | 'offline';
  activities: { name: string; type: number }[];
}

/** What every bot last said of itself, by its id. */
export function createPresences() {
  const kept = new Map<string, Presence>();

  return {
    /** `undefined` where this is no presence. */
    update(applicationId: string, d: unknown): Presence | undefined {
      const said = presenceShape.safeParse(d).data;
      if (!said) return undefined;
      const { status, activities } = said;
      const presence = { status: status === 'invisible' ? ('offline' as const) : status, activities };
      kept.set(applicationId, presence);
      return presence;
    },
    of: (applicationId: string): Presence | undefined => kept.get(applicationId),
  };
}
