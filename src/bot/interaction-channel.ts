import { type Cache, createCache, systemClock } from '@darkroom/time';
import { type BaseInteraction, type Client, Constants } from 'discord.js';
import { z } from 'zod';

const THREADS: readonly number[] = Constants.ThreadChannelTypes;
const VOICE: readonly number[] = Constants.VoiceBasedChannelTypes;

const fromChannel = z.object({
  t: z.literal('INTERACTION_CREATE'),
  d: z.object({
    id: z.string(),
    channel: z.object({ type: z.int(), parent_id: z.string().nullish(), nsfw: z.boolean().nullish() }),
  }),
});

/** What Discord tells of the channel that an interaction comes from. */
export interface InteractionChannel {
  /** Of a thread: the channel that it belongs to. */
  parentId?: string;
  /** Discord does not say so of a thread, which is as its channel is. */
  ageRestricted?: true;
  voice?: true;
}

/** Of how many interactions it is known, and for how long after their arrival. */
const MOST = 1_000;
const HOLDS_MS = 60_000;

const channels = new WeakMap<Client, Cache<string, InteractionChannel>>();

/** Remembers what discord.js drops unless it caches every channel there is. */
export function keepChannels(client: Client): void {
  const known = createCache<string, InteractionChannel>({ max: MOST, ttlMs: HOLDS_MS, clock: systemClock });
  channels.set(client, known);
  client.on('raw', (packet: unknown) => {
    const read = fromChannel.safeParse(packet);
    if (!read.success) return;
    const { id, channel } = read.data.d;
    const parentId = THREADS.includes(channel.type) ? channel.parent_id : undefined;
    const voice = VOICE.includes(channel.type);
    if (!parentId && !channel.nsfw && !voice) return;
    known.set(id, {
      ...(parentId && { parentId }),
      ...(channel.nsfw && { ageRestricted: true }),
      ...(voice && { voice }),
    });
  });
}

export const channelOf = ({ client, id }: BaseInteraction): InteractionChannel =>
  channels.get(client)?.get(id) ?? {};
