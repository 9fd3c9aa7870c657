import type { Job } from './job.ts';

/** A part of the bot's servers, as Discord divides them, with their jobs. */
export interface Shard {
  /** From 0 to `count` - 1. */
  id: number;
  count: number;
}

/** The shard of a request has been lost, or given up, since it was made here: nobody would take it up. */
export class ShardLostError extends Error {
  override readonly name = 'ShardLostError';
}

/** All there is, where nothing is divided. */
export const ONLY_SHARD: Shard = { id: 0, count: 1 };

/** Whether a job belongs to a shard. Discord's formula ('Gateway', sharding); direct messages belong to the first. */
export const isOfShard = ({ id, count }: Shard, { guildId }: Pick<Job, 'guildId'>): boolean =>
  Number((BigInt(guildId ?? 0) >> 22n) % BigInt(count)) === id;
