import type { Clock } from '@darkroom/time';
import { type IIdentifyThrottler, SimpleIdentifyThrottler } from 'discord.js';
import { identifyKey, type Locks } from './locks.ts';

/** Between two identifies of one bucket, in milliseconds. Source: 'Gateway', rate limiting and sharding. */
const INTERVAL_MS = 5_000;
const RETRY_INTERVAL_MS = 250;

/** Lets the shards of all processes identify one after the other, `maxConcurrency` buckets at once. */
export function createIdentifyThrottler({
  maxConcurrency,
  locks,
  clock,
}: {
  maxConcurrency: number;
  /** Undefined while PostgreSQL is down: then nobody identifies. */
  locks: () => Locks | undefined;
  clock: Clock;
}): IIdentifyThrottler {
  const inProcess = new SimpleIdentifyThrottler(maxConcurrency);
  return {
    async waitForIdentify(shardId, signal) {
      await inProcess.waitForIdentify(shardId, signal);
      const key = identifyKey(shardId % maxConcurrency);
      let held = locks();
      while (!(await held?.tryLock(key).catch(() => false))) {
        await clock.sleep(RETRY_INTERVAL_MS, signal);
        held = locks();
      }
      // Where the process ends before, the lock is free with it.
      void clock
        .sleep(INTERVAL_MS)
        .then(() => held?.unlock(key))
        .catch(() => undefined);
    },
  };
}
