import { type BaseInteraction, ChannelType, type Client } from 'discord.js';
import { z } from 'zod';

/** Of an interaction from a thread, as Discord sends it. */
const fromThread = z.object({
  t: z.literal('INTERACTION_CREATE'),
  d: z.object({
    id: z.string(),
    channel: z.object({
      type: z.literal([ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]),
      parent_id: z.string(),
    }),
  }),
});

/** How many interactions may be between their arrival and their handler; of more than these, the oldest are forgotten. */
const MOST = 1_000;

const parents = new WeakMap<Client, Map<string, string>>();

/**
 * Remembers the channel of every thread that an interaction comes from. discord.js drops what Discord tells of the channel,
 * unless it caches every channel there is.
 */
export function keepParents(client: Client): void {
  const known = new Map<string, string>();
  parents.set(client, known);
  client.on('raw', (packet: unknown) => {
    const read = fromThread.safeParse(packet);
    if (!read.success) return;
    const { id, channel } = read.data.d;
    known.set(id, channel.parent_id);
    for (const oldest of [...known.keys()].slice(0, -MOST)) known.delete(oldest);
  });
}

/** The channel that the interaction's thread belongs to; undefined where it comes from no thread. It is told once. */
export function parentOf({ client, id }: BaseInteraction): string | undefined {
  const known = parents.get(client);
  const parent = known?.get(id);
  known?.delete(id);
  return parent;
}
