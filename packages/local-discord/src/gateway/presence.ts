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

/** `undefined` where this is no presence. */
export function readPresence(d: unknown): Presence | undefined {
  const said = presenceShape.safeParse(d).data;
  if (!said) return undefined;
  const { status, activities } = said;
  return { status: status === 'invisible' ? 'offline' : status, activities };
}
