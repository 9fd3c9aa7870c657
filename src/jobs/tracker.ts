import { type Clock, createSemaphore, DAY_MS, raceAbort, retry } from '@darkroom/time';
import type { Readings } from '../observability/metrics.ts';
import type { Store } from '../storage/store.ts';
import { type Cancelled, createCancelling } from './cancelling.ts';
import { isCancelled, isOver, type Job, needsResume } from './job.ts';
import { createJobLocks, type LockJob } from './job-locks.ts';
import { type Caller, createJob, type JobRequest } from './job-request.ts';
import type { JobStore } from './job-store.ts';
import { hasEnded } from './job-task.ts';
import { beginRedelivery, type Redelivery } from './redelivery.ts';
import { createController, createRun, type Run, type RunDependencies } from './run.ts';
import { resumeJob, runJob } from './run-job.ts';
import { isOfShard, ONLY_SHARD, type Shard, ShardLostError } from './shard.ts';
import type { TaskProgress } from './task-progress.ts';
import { discard, writeInTime } from './write-new-job.ts';

/** How long until a job that could not come to its end is resumed, and how old it may be then. */
const RESUME_INTERVAL_MS = 5 * 60_000;
const RESUME_MAX_AGE_MS = DAY_MS;

/** At this age a job is no longer `asked` where its process lives: Discord takes a first answer for three seconds. */
const BEGUN_BY_MS = 10_000;

/** How long the run of a job that has been put aside may take to end. */
const RUN_ENDS_MS = 1_000;

/** How outcomes are looked for after a start, by all processes: at most 33 a second of the 50 requests of a bot. */
const SEARCHES_AT_ONCE = 5;
const SEARCH_REST_MS = 150;

/** How long a submission that has left may still be answered once the process is stopping. */
const GRACE_PERIOD_MS = 5_000;

/** Follows the jobs of its shards from their request to their pictures. */
export type Tracker = ReturnType<typeof createTracker>;

export function createTracker({
  store,
  lockJob,
  part,
  ...deps
}: Omit<RunDependencies, 'jobs'> & {
  jobs: JobStore;
  /** Where every process reads what is to be cancelled. */
  store: Store;
  /** Undefined where there is no other process. */
  lockJob: LockJob | undefined;
  /** How much of the bot's requests a second is this process's, of 1. */
  part: () => number;
}) {
  const { jobs, service, delivery, events, clock, log } = deps;
  const searches = createSemaphore(SEARCHES_AT_ONCE, { rest: { ms: SEARCH_REST_MS, clock }, part });
  const followed = new Set<FollowedShard>();
  /** Written down, while their members have no first answer yet. */
  const beginning = new Map<string, Job>();
  const running = new Map<string, { run: Run; shard: FollowedShard; ended: Promise<void> }>();
  const locks = createJobLocks({ runsHere: (id) => running.has(id), lockJob });
  const cancelling = createCancelling({ jobs, store, clock, runOf: (id) => running.get(id) });

  const shardOf = (job: Pick<Job, 'guildId'>) => [...followed].find((shard) => isOfShard(shard, job));
  const followedAs = ({ id, count }: Shard) =>
    [...followed].filter((shard) => shard.id === id && shard.count === count);

  /**
   * Its member may ask for a job that waits in any server, so two processes may be about to deliver it: the one that
   * serves the server of the job, and the one that was asked. Resolves with what has become of it.
   */
  async function inOneProcess(run: Run, work: () => Promise<Job>): Promise<Job> {
    if (!lockJob || run.job().state !== 'waiting') return work();
    const over = await locks.amongProcesses(run.id, async () => {
      const now = await jobs.find(run.id);
      if (now?.state !== 'waiting' || !shardOf(now)) return now;
      run.adopt(now);
      return work();
    });
    return over ?? run.job();
  }

  function startRun(job: Job, { resumed = false } = {}): void {
    const shard = shardOf(job);
    if (running.has(job.id) || !shard) return;
    const run = createRun(job, { abandoned: shard.abandoned, progressHeld: resumed }, deps);
    const by = cancelling.by(job.id);
    if (by !== undefined) run.cancel(by);
    const { stopping, cancelled, abandoned } = run.signals;
    const ended = inOneProcess(run, () => (resumed ? resumeJob(run, searches) : runJob(run)))
      .then(
        (over) => {
          events.ended(over, job.secrets?.apiKey);
          return needsResume(over);
        },
        (error: unknown) => {
          if (!stopping.aborted) log.error({ err: error, job: job.id }, 'a job could not go on for now');
          return true;
        },
      )
      .then(async (again) => {
        running.delete(job.id);
        if (stopping.aborted) await raceAbort(abandoned, delivery.stopShowing(job.id)).catch(() => undefined);
        if (again) void resumeLater(job.id, shard.stopping.signal).catch(() => undefined);
        else if (cancelled.aborted) await cancelling.end(job.id);
      });
    running.set(job.id, { run, shard, ended });
  }

  /** What Discord or the store kept from its end is resumed while the process lives; after a day, by the next one. */
  async function resumeLater(id: string, stopping: AbortSignal, firstMs = RESUME_INTERVAL_MS): Promise<void> {
    for (let waitMs = firstMs; ; waitMs = RESUME_INTERVAL_MS) {
      await delivery.rest(waitMs, stopping);
      if (running.has(id)) return;
      try {
        const tried = await locks.inThisProcess(id, async () => {
          const job = await jobs.find(id);
          const inTime = job && clock.now() - job.createdAt <= RESUME_MAX_AGE_MS;
          if (inTime && needsResume(job)) startRun(job, { resumed: true });
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
      .filter((job) => needsResume(job) && !beginning.has(job.id))
      .toSorted((one, other) => one.createdAt - other.createdAt);
  }

  /** Resumes what the last owner of a shard was still writing down when `listed` was read. */
  async function resumeUnlisted(shard: Shard, listed: readonly Job[], signal: AbortSignal): Promise<void> {
    await clock.sleep(BEGUN_BY_MS, signal);
    const known = new Set(listed.map(({ id }) => id));
    for (const { id } of await retry(() => leftIn(shard), { policy: {}, clock, signal }))
      if (!known.has(id)) void resumeLater(id, signal, 0).catch(() => undefined);
  }

  async function release(shard: FollowedShard): Promise<void> {
    followed.delete(shard);
    const reason = new Error('Darkroom stops following these jobs');
    shard.stopping.abort(reason);
    const left = [...running.values()].filter((entry) => entry.shard === shard);
    for (const { run } of left) run.stop(reason);
    await Promise.allSettled(left.map(({ ended }) => ended));
  }

  return {
    /**
     * Writes the job down, then has the member's interaction acknowledged; from then on the job goes on by itself.
     * Rejects with `ShardLostError` where its shard is not followed, with `ServiceDownError` while the image service
     * is down, with `JobWriteError` where the job cannot be written in time for an answer, with `LimitReachedError`,
     * and as `acknowledge` does; then nothing is left of it.
     * An id that is known begins nothing. `acknowledge` resolves with the id of the reply, where Discord tells it.
     */
    async begin(request: JobRequest, acknowledge: () => Promise<string | undefined>): Promise<void> {
      if (!shardOf(request.caller)) throw new ShardLostError('another process may begin with this shard');
      service.admit();
      const { createdAt: askedAt } = request.caller.interaction;
      const { id = request.caller.interaction.id, reservations = [] } = request;
      await locks.inThisProcess(id, async () => {
        const job = createJob(request, clock.now());
        beginning.set(id, job);
        try {
          if (!(await writeInTime(job, { askedAt, reservations }, { jobs, log }))) return;
          const messageId = await acknowledge().catch(async (error: unknown) => {
            await discard(job, { jobs, log });
            throw error;
          });
          const developing: Job = { ...job, state: 'developing', reply: { ...job.reply, messageId } };
          if (shardOf(developing)) startRun(developing);
          else await jobs.save(developing, job);
        } finally {
          beginning.delete(id);
        }
      });
    },

    find: jobs.find,
    page: jobs.page,

    /** How far the tasks of a job are that is followed here; undefined of any other. */
    progressOf: (id: string): readonly TaskProgress[] | undefined => running.get(id)?.run.progress(),

    /**
     * Forgets those of the jobs that nothing is done for, by any process; says how many. One that waits may be on its
     * way to its member, and its end would be written afterwards.
     */
    async eraseIdle(asked: readonly Job[]): Promise<number> {
      let erased = await jobs.erase(asked.filter(isOver));
      for (const { id } of asked.filter(({ state }) => state === 'waiting')) {
        const idle = () =>
          locks.amongProcesses(id, async () => {
            const now = await jobs.find(id);
            return now?.state === 'waiting' || (now && isOver(now)) ? jobs.erase([now]) : 0;
          });
        erased += (await locks.inThisProcess(id, idle)) ?? 0;
      }
      return erased;
    },

    readings(): Pick<Readings, 'runningJobs' | 'oldestJobMs'> {
      const ages = [...running.values()].map(({ run }) => clock.now() - run.job().createdAt);
      return { runningJobs: ages.length, oldestJobMs: Math.max(0, ...ages) };
    },

    /**
     * Cancels a job on behalf of `by`, whichever process follows it, and has the service end its tasks where it can.
     * What is finished already is delivered all the same.
     */
    async cancel(id: string, by: string): Promise<Cancelled> {
      const job = await jobs.find(id);
      if (job && isCancelled(job)) return { state: 'ended', job };
      if (!job || isOver(job) || job.tasks.every(hasEnded)) return { state: 'over' };
      await cancelling.request([id], by);
      if (shardOf(job)) {
        // It may be waiting to be tried again.
        await locks.inThisProcess(id, async () => {
          const now = await jobs.find(id);
          if (now && now.state !== 'asked' && needsResume(now)) startRun(now, { resumed: true });
        });
      }
      return cancelling.untilTasksEnd(id);
    },

    /** Likewise for every job of a server, without waiting for them; says how many there are. */
    async cancelAll(guildId: string, by: string): Promise<number> {
      // Also what rests until it is tried again.
      const written = await jobs.unfinished((owner) => owner === guildId);
      const underWay = written.filter(({ tasks }) => !tasks.every(hasEnded));
      const begun = [...beginning.values()].filter((job) => job.guildId === guildId);
      const ids = [...new Set([...begun, ...underWay].map(({ id }) => id))];
      await cancelling.request(ids, by);
      return ids.length;
    },

    /** As `beginRedelivery`, and runs the job then. `unanswered`: also where another attempt is running. */
    async redeliver(
      id: string,
      caller: Caller,
      redelivery: Redelivery,
    ): Promise<'begun' | 'over' | 'unanswered'> {
      // The row is written shortly before the run ends.
      await Promise.race([running.get(id)?.ended, clock.sleep(RUN_ENDS_MS)]);
      const result = await locks.inThisProcess(id, async () => {
        const begun = await locks.amongProcesses(id, () => beginRedelivery(id, caller, redelivery, deps));
        if (begun?.state !== 'begun') return begun?.state ?? 'unanswered';
        startRun(begun.job);
        return begun.state;
      });
      return result ?? (running.has(id) ? 'unanswered' : 'over');
    },

    /** Follows what begins in this shard from now on. */
    follow(shard: Shard = ONLY_SHARD): void {
      followed.add(followShard(shard, clock));
      if (lockJob) cancelling.watch(followed);
    },

    /** Resumes what an earlier process left in a shard that is followed; says how many jobs that is. */
    async resume(shard: Shard = ONLY_SHARD): Promise<number> {
      const stopping = followedAs(shard)[0]?.stopping.signal;
      const left = await leftIn(shard);
      if (left.length > 0) await cancelling.read();
      for (const job of left) {
        const begunInMs = job.createdAt + BEGUN_BY_MS - clock.now();
        // Another process may be about to answer its interaction.
        if (lockJob && stopping && job.state === 'asked' && begunInMs > 0)
          void resumeLater(job.id, stopping, begunInMs).catch(() => undefined);
        else startRun(job, { resumed: true });
      }
      if (lockJob && stopping) void resumeUnlisted(shard, left, stopping).catch(() => undefined);
      return left.length;
    },

    /** Stops following a shard at once; rows tell the next process where to go on. Resolves when nothing of it runs. */
    async release(shard: Shard): Promise<void> {
      await Promise.all(followedAs(shard).map(release));
    },

    async stop(): Promise<void> {
      await Promise.all([...followed].map(release));
    },
  };
}

/** A shard whose jobs are followed, until `stopping` aborts. */
interface FollowedShard extends Shard {
  stopping: AbortController;
  /** As in `RunSignals`. */
  abandoned: AbortSignal;
}

/** `abandoned` comes later: of a submission that is cut off nobody knows whether it was accepted. */
function followShard(shard: Shard, clock: Clock): FollowedShard {
  const stopping = createController();
  const abandoned = createController();
  const abandon = () => abandoned.abort(stopping.signal.reason);
  stopping.signal.addEventListener('abort', () => void clock.sleep(GRACE_PERIOD_MS).then(abandon), {
    once: true,
  });
  return { ...shard, stopping, abandoned: abandoned.signal };
}
