import { messageOf, OperatorError } from '@darkroom/process';
import { refdClock } from '@darkroom/time';
import { type IIdentifyThrottler, SimpleIdentifyThrottler } from 'discord.js';
import type { LockJob } from '../jobs/job-locks.ts';
import type { Shard } from '../jobs/shard.ts';
import { createShareKeeper, type OwnLocks } from './keep-share.ts';
import { identifyKey, jobKey, type Locks, openLocks, PROCESS, START } from './locks.ts';
import type { ShardWork } from './shard-work.ts';

const START_INTERVAL_MS = 250;
const START_TIMEOUT_MS = 30_000;

/** Between two identifies of one bucket, in milliseconds. Source: 'Gateway', rate limiting and sharding. */
const IDENTIFY_INTERVAL_MS = 5_000;
const IDENTIFY_RETRY_MS = 250;

/** Which of the bot's shards this process serves. */
export interface Shards {
  identifyThrottler: IIdentifyThrottler;
  /** Resolves when those are connected that were free; from then on it goes on by itself. */
  start(work: ShardWork): Promise<void>;
  /** Whether others serve every shard, and this process would take what they leave. */
  isSpare(): boolean;
  /** Ends the work of every shard. */
  stop(): Promise<void>;
  /** Takes a job from every other process; undefined where there is none. */
  lockJob: LockJob | undefined;
}

interface ShardsOptions extends Omit<Parameters<typeof createShareKeeper>[0], 'own' | 'work' | 'clock'> {
  /** The PostgreSQL that processes share; undefined where this one is alone on its store. */
  url: string | undefined;
  /** Decides on their number, as `Installation.agree` does. */
  agree(alone: boolean): Promise<number>;
  /** As Discord says: how many identifies at once. */
  maxConcurrency: number;
}

/** Rejects with a sentence for the operator where the shards cannot be shared like this. */
export async function openShards({ url, agree, maxConcurrency, ...options }: ShardsOptions): Promise<Shards> {
  if (url === undefined) return serveAll(await agree(true), maxConcurrency);
  const clock = refdClock;
  const own: OwnLocks = {
    current: await join(url, agree),
    async reopen() {
      const locks = await openLocks(url);
      await locks.share(PROCESS);
      return locks;
    },
  };
  let keeper: ReturnType<typeof createShareKeeper> | undefined;
  return {
    identifyThrottler: createIdentifyThrottler(maxConcurrency, own),
    async lockJob(id) {
      const locks = own.current;
      const key = jobKey(id);
      return (await locks?.tryLock(key)) ? async () => locks?.unlock(key) : undefined;
    },
    async start(work) {
      keeper = createShareKeeper({ ...options, own, work, clock });
      await keeper.start();
    },
    isSpare: () => keeper?.isSpare() === true,
    async stop() {
      await keeper?.stop();
      await own.current?.close().catch(() => undefined);
    },
  };
}

function serveAll(count: number, maxConcurrency: number): Shards {
  const shards = Array.from({ length: count }, (_, id): Shard => ({ id, count }));
  let end = async () => {};
  return {
    identifyThrottler: new SimpleIdentifyThrottler(maxConcurrency),
    lockJob: undefined,
    async start(work) {
      end = async () => {
        await Promise.all(shards.map(work.end));
      };
      await Promise.all(shards.map(work.begin));
    },
    isSpare: () => false,
    stop: () => end(),
  };
}

/**
 * Lets the shards of all processes identify one after the other, `maxConcurrency` buckets at once; nobody while
 * PostgreSQL is down.
 */
function createIdentifyThrottler(maxConcurrency: number, own: OwnLocks): IIdentifyThrottler {
  const inProcess = new SimpleIdentifyThrottler(maxConcurrency);
  return {
    async waitForIdentify(shardId, signal) {
      await inProcess.waitForIdentify(shardId, signal);
      const key = identifyKey(shardId % maxConcurrency);
      let held = own.current;
      while (!(await held?.tryLock(key).catch(() => false))) {
        await refdClock.sleep(IDENTIFY_RETRY_MS, signal);
        held = own.current;
      }
      // Where the process ends before, the lock is free with it.
      void refdClock
        .sleep(IDENTIFY_INTERVAL_MS)
        .then(() => held?.unlock(key))
        .catch(() => undefined);
    },
  };
}

/** Joins the processes on a store, one after the other, so that each knows whether it is the first. */
async function join(url: string, agree: ShardsOptions['agree']): Promise<Locks> {
  const locks = await openLocks(url).catch((cause: unknown) => {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(
      `The PostgreSQL of STORE_URL cannot be reached: ${messageOf(cause)}. Check that it runs and the address.`,
      { cause },
    );
  });
  try {
    const giveUpAt = refdClock.now() + START_TIMEOUT_MS;
    while (!(await locks.tryLock(START))) {
      if (refdClock.now() > giveUpAt) {
        throw new OperatorError(
          'Another process has been starting on this store for half a minute. Look at its log.',
        );
      }
      await refdClock.sleep(START_INTERVAL_MS);
    }
    const others = (await locks.look()).some(({ key, mine }) => key === PROCESS && !mine);
    await agree(!others);
    await locks.share(PROCESS);
    await locks.unlock(START);
    return locks;
  } catch (error) {
    void locks.close().catch(() => undefined);
    throw error;
  }
}
