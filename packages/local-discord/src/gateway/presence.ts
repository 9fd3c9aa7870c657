import { z } from 'zod';

/** What a bot says of itself. Source: 'Gateway Events', Update Presence. */
const presenceShape = z
  .object({
    since: z.number().nullish(),
    activities: z.array(z.looseObject({ name: z.string(), type: z.int() })).default([]),
    status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']).default('online'),
    afk: z.boolean().nullish(),
  })
  .transform(({ status, activities }) => ({
    status: status === 'invisible' ? 'offline' : status,
    activities,
  }));

export type Presence = z.infer<typeof presenceShape>;

/** `undefined` where this is no presence. */
export const readPresence = (d: unknown): Presence | undefined => presenceShape.safeParse(d).data;
