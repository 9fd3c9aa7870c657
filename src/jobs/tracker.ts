import { createSemaphore, raceAbort } from '@darkroom/time';
import type { Readings } from '../observability/metrics.ts';
import type { Store } from '../storage/store.ts';
import { type Cancelled, createCancelling } from './cancelling.ts';
import { type FollowedShard, followShard } from './followed-shard.ts';
import { isCancelled, isOver, type Job, needsResume } from './job.ts';
import { createJobLocks, type LockJob } from './job-locks.ts';
import { type Caller, createJob, type JobRequest } from './job-request.ts';
import type { JobStore } from './job-store.ts';
import { hasEnded } from './job-task.ts';
import { beginRedelivery, type Redelivery } from './redelivery.ts';
import { createResuming } from './resuming.ts';
import { createRun, type Run, type RunDependencies } from './run.ts';
import { resumeJob, runJob } from './run-job.ts';
import { isOfShard, ONLY_SHARD, type Shard, ShardLostError } from './shard.ts';
import type { TaskProgress } from './task-progress.ts';
import { discard, writeInTime } from './write-new-job.ts';

/** How long the run of a job that has been put aside may take to end. */
const RUN_ENDS_MS = 1_000;

/** How far our clock and Discord's may be apart without a word in the log, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** How outcomes are looked for after a start, by all processes: at most 33 a second of the 50 requests of a bot. */
const SEARCHES_AT_ONCE = 5;
const SEARCH_REST_MS = 150;

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
  let clockTold = false;
  const running = new Map<string, { run: Run; shard: FollowedShard; ended: Promise<void> }>();
  const locks = createJobLocks({ runsHere: (id) => running.has(id), lockJob });
  const cancelling = createCancelling({ jobs, store, clock, runOf: (id) => running.get(id) });

  const resuming = createResuming({
    jobs,
    delivery,
    cancelling,
    inThisProcess: locks.inThisProcess,
    isBeginning: (id) => beginning.has(id),
    isRunning: (id) => running.has(id),
    resume: (job) => startRun(job, { resumed: true }),
    othersAnswer: lockJob !== undefined,
    clock,
    log,
  });

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
          events.ended(over, run.apiKey());
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
        if (again) void resuming.later(job.id, shard.stopping.signal).catch(() => undefined);
        else if (cancelled.aborted) await cancelling.end(job.id);
      });
    running.set(job.id, { run, shard, ended });
  }

  /** Of an interaction that Discord let us answer, so it is no older than three seconds. */
  function checkClock(aheadMs: number): void {
    if (clockTold || Math.abs(aheadMs) < CLOCK_SKEW_MS) return;
    clockTold = true;
    log.warn({ aheadSeconds: Math.round(aheadMs / 1_000) }, 'the clock of this machine is not as Discord’s');
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
      const { createdAt: askedAt, aheadMs } = request.caller.interaction;
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
          checkClock(aheadMs);
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

    /**
     * Likewise for every job of a server, or of one member there, without waiting for them; says how many there are.
     */
    async cancelAll(guildId: string, by: string, memberId?: string): Promise<number> {
      const isMeant = ({ member }: Job) => memberId === undefined || member.id === memberId;
      // Also what rests until it is tried again.
      const written = await jobs.unfinished((owner) => owner === guildId);
      const underWay = written.filter(({ tasks }) => !tasks.every(hasEnded));
      const begun = [...beginning.values()].filter((job) => job.guildId === guildId);
      const ids = [...new Set([...begun, ...underWay].filter(isMeant).map(({ id }) => id))];
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
      if (lockJob) void cancelling.watch(followed);
    },

    /** Resumes what an earlier process left in a shard that is followed; says how many jobs that is. */
    async resume(shard: Shard = ONLY_SHARD): Promise<number> {
      return resuming.inShard(shard, followedAs(shard)[0]?.stopping.signal);
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
