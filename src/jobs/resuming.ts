import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, retry } from '@darkroom/time';
import type { createCancelling } from './cancelling.ts';
import type { Delivery } from './delivery-port.ts';
import { type Job, needsResume } from './job.ts';
import type { createJobLocks } from './job-locks.ts';
import type { JobStore } from './job-store.ts';
import { isOfShard, type Shard } from './shard.ts';

/** How long until a job that could not come to its end is resumed, and how old it may be then. */
const RESUME_INTERVAL_MS = 5 * 60_000;
const RESUME_MAX_AGE_MS = DAY_MS;

/** At this age a job is no longer `asked` where its process lives: Discord takes a first answer for three seconds. */
const BEGUN_BY_MS = 10_000;

/** Takes up jobs that are not over: what an earlier process left, and what came to no end here. */
export function createResuming({
  jobs,
  delivery,
  cancelling,
  inThisProcess,
  isBeginning,
  isRunning,
  resume,
  othersAnswer,
  clock,
  log,
}: {
  jobs: Pick<JobStore, 'find' | 'unfinished'>;
  delivery: Pick<Delivery, 'rest'>;
  cancelling: Pick<ReturnType<typeof createCancelling>, 'read'>;
  inThisProcess: ReturnType<typeof createJobLocks>['inThisProcess'];
  /** Whether its member has no first answer yet, and this process gives it. */
  isBeginning(id: string): boolean;
  isRunning(id: string): boolean;
  resume(job: Job): void;
  /** Whether another process may be about to answer an interaction. */
  othersAnswer: boolean;
  clock: Clock;
  log: Log;
}) {
  /** What Discord or the store kept from its end is resumed while the process lives; after a day, by the next one. */
  async function later(id: string, stopping: AbortSignal, firstMs = RESUME_INTERVAL_MS): Promise<void> {
    for (let waitMs = firstMs; ; waitMs = RESUME_INTERVAL_MS) {
      await delivery.rest(waitMs, stopping);
      if (isRunning(id)) return;
      try {
        const tried = await inThisProcess(id, async () => {
          const job = await jobs.find(id);
          const inTime = job && clock.now() - job.createdAt <= RESUME_MAX_AGE_MS;
          if (inTime && needsResume(job)) resume(job);
          return true;
        });
        if (tried) return;
      } catch (error) {
        log.error({ err: error, job: id }, 'a job could not be read to be tried again');
      }
    }
  }

  /** What is unfinished in a shard and not about to be answered here, in the order in which it was asked for. */
  async function leftIn(shard: Shard): Promise<Job[]> {
    const unfinished = await jobs.unfinished((guildId) => isOfShard(shard, { guildId }));
    // A shard that was lost for a moment is taken up anew while its members still get their first answers.
    return unfinished
      .filter((job) => needsResume(job) && !isBeginning(job.id))
      .toSorted((one, other) => one.createdAt - other.createdAt);
  }

  /** Resumes what the last owner of a shard was still writing down when `listed` was read. */
  async function resumeUnlisted(shard: Shard, listed: readonly Job[], signal: AbortSignal): Promise<void> {
    await clock.sleep(BEGUN_BY_MS, signal);
    const known = new Set(listed.map(({ id }) => id));
    for (const { id } of await retry(() => leftIn(shard), { policy: {}, clock, signal }))
      if (!known.has(id)) void later(id, signal, 0).catch(() => undefined);
  }

  return {
    later,

    /** Resumes what an earlier process left in a shard; says how many jobs that is. `stopping`: where it is followed. */
    async inShard(shard: Shard, stopping: AbortSignal | undefined): Promise<number> {
      const left = await leftIn(shard);
      if (left.length > 0) await cancelling.read();
      for (const job of left) {
        const begunInMs = job.createdAt + BEGUN_BY_MS - clock.now();
        // Another process may be about to answer its interaction.
        if (othersAnswer && stopping && job.state === 'asked' && begunInMs > 0)
          void later(job.id, stopping, begunInMs).catch(() => undefined);
        else resume(job);
      }
      if (othersAnswer && stopping) void resumeUnlisted(shard, left, stopping).catch(() => undefined);
      return left.length;
    },
  };
}
