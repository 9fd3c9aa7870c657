import { setMaxListeners } from 'node:events';
import type { Circuit } from './circuit.ts';
import type { Whereabouts } from './delivery.ts';
import { withGrace } from './grace.ts';
import { goesOn, hasEnded, type Job, TOKEN_LIFE_MS } from './job.ts';
import { createRegister } from './register.ts';
import { type JobRequest, planJob } from './request.ts';
import { type RunDependencies, runJob, settled } from './run.ts';

/** When a job that could not come to its end is taken up again, and for how long that is tried. */
const RETRY_MS = 5 * 60_000;
const RETRIED_FOR_MS = 24 * 3600_000;

/** How long a job that has come to wait may take to stop running. */
const STOPPING_MS = 1_000;

/** A new way to the member of a job that waits: an interaction of theirs, already deferred. */
export interface FreshReply {
  interactionToken: string;
  /** Milliseconds since the epoch; when the interaction began. */
  askedAt: number;
  guildId: string | null;
  channelId: string;
  attachmentLimit: number;
  messageId: string | undefined;
}

/** Follows every job from its request to its pictures. */
export interface Tracker {
  /** False while the image service is down: what is asked for now would come to nothing. */
  admits(): boolean;
  /**
   * Writes the job down, then has the member's interaction acknowledged; from then on the job goes on by itself. Rejects
   * where it cannot be written in time for an answer, and as `acknowledge` does; then nothing is left of it. An id that
   * is known begins nothing. `acknowledge` resolves with the id of the reply, where Discord tells it.
   */
  begin(request: JobRequest, acknowledge: () => Promise<string | undefined>): Promise<void>;
  find(id: string): Promise<Job | undefined>;
  /** The member's latest jobs, newest first; what is not over is among them, however old. */
  recent(memberId: string): Promise<Job[]>;
  /**
   * Stops following a job, and has the service end its tasks where it can. Says whether it was being followed: what has
   * ended already is delivered all the same.
   */
  cancel(id: string): Promise<boolean>;
  /**
   * Hands a job that waits to its member by a new reply. Not where that is `over`: it waits no longer, or turns out to
   * have arrived. Not where it is `unanswered` whether it has arrived: Discord does not say, or an attempt is under way.
   */
  handOut(id: string, reply: FreshReply): Promise<'handed-out' | 'over' | 'unanswered'>;
  /** Takes up what an earlier process left; says how many jobs that is. */
  resume(): Promise<number>;
  /** Stops following; rows tell the next process where to go on. */
  stop(): Promise<void>;
}

export function createTracker({ circuit, ...deps }: RunDependencies & { circuit: Circuit }): Tracker {
  const { jobs, delivery, clock, log } = deps;
  const stopping = new AbortController();
  // Hundreds of jobs wait on one signal, and that is no leak.
  setMaxListeners(0, stopping.signal);
  const hangUp = withGrace(stopping.signal, clock);
  const register = createRegister({ jobs, log });
  const beginning = new Set<string>();
  const running = new Map<string, { cancelled: AbortController; ended: Promise<void> }>();

  /** Does `work` for a job that nothing else is at; otherwise nothing, and the result is undefined. */
  async function alone<Result>(id: string, work: () => Promise<Result>): Promise<Result | undefined> {
    if (running.has(id) || beginning.has(id)) return undefined;
    beginning.add(id);
    try {
      return await work();
    } finally {
      beginning.delete(id);
    }
  }

  function run(job: Job, { resumed = false } = {}): void {
    if (running.has(job.id) || stopping.signal.aborted) return;
    const cancelled = new AbortController();
    const signals = { stopping: stopping.signal, hangUp, cancelled: cancelled.signal };
    const ended = runJob(job, deps, { ...signals, resumed })
      .then(goesOn, (error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error, job: job.id }, 'a job could not go on for now');
        return true;
      })
      .then((again) => {
        running.delete(job.id);
        if (again) void runLater(job.id).catch(() => undefined);
      });
    running.set(job.id, { cancelled, ended });
  }

  /** What Discord or the store kept from its end is tried again while the process lives; after a day, by the next one. */
  async function runLater(id: string): Promise<void> {
    for (;;) {
      await clock.sleep(RETRY_MS, stopping.signal);
      if (running.has(id)) return;
      try {
        const tried = await alone(id, async () => {
          const job = await jobs.find(id);
          const inTime = job && clock.now() - job.createdAt <= RETRIED_FOR_MS;
          if (inTime && goesOn(job)) run(job, { resumed: true });
          return true;
        });
        if (tried) return;
      } catch (error) {
        log.error({ err: error, job: id }, 'a job could not be read to be tried again');
      }
    }
  }

  /** Once: a member waits for the answer. */
  async function look(job: Job): Promise<Whereabouts | 'unanswered'> {
    try {
      return await delivery.find(job, stopping.signal);
    } catch (error) {
      log.warn({ err: error, job: job.id }, 'an outcome could not be looked for');
      return 'unanswered';
    }
  }

  return {
    admits: circuit.admits,

    async begin({ secrets, ...request }, acknowledge) {
      const { id } = request;
      await alone(id, async () => {
        const job = planJob(request, jobs.seal(id, secrets), clock.now());
        if (!(await register.enter(job))) return;
        const messageId = await acknowledge().catch(async (error: unknown) => {
          await register.strike(job);
          throw error;
        });
        const developing: Job = {
          ...job,
          state: 'developing',
          reply: { ...job.reply, ...(messageId !== undefined && { messageId }) },
        };
        if (stopping.signal.aborted) await jobs.save(developing);
        else run(developing);
      });
    },

    find: (id) => jobs.find(id),

    recent: (memberId) => jobs.recent(memberId),

    async cancel(id) {
      const followed = running.get(id);
      const job = await jobs.find(id);
      if (!followed || !job || job.tasks.every(hasEnded)) return false;
      followed.cancelled.abort();
      return true;
    },

    async handOut(id, { interactionToken, askedAt, messageId, ...place }) {
      // One whose row says that it waits may need a moment to stop.
      await Promise.race([running.get(id)?.ended, clock.sleep(STOPPING_MS, stopping.signal)]);
      const handedOut = await alone(id, async () => {
        const job = await jobs.find(id);
        if (job?.state !== 'waiting') return 'over';
        const found = job.unsure ? await look(job) : 'nowhere';
        if (found === 'unanswered') return found;
        if (typeof found === 'object') {
          await jobs.save(settled(job, found));
          return 'over';
        }
        const apiKey = jobs.unseal(job)?.apiKey ?? '';
        const { unseen: _seen, ...waiting } = job;
        const fresh: Job = {
          ...waiting,
          ...place,
          // Written before anything is sent: who finds this row cannot know what arrived.
          unsure: true,
          reply: { tokenExpiresAt: askedAt + TOKEN_LIFE_MS, ...(messageId !== undefined && { messageId }) },
          secrets: jobs.seal(id, { apiKey, interactionToken }),
        };
        await jobs.save(fresh);
        run(fresh);
        return 'handed-out';
      });
      return handedOut ?? (running.has(id) ? 'unanswered' : 'over');
    },

    async resume() {
      const left = (await jobs.unfinished()).filter(goesOn);
      for (const job of left) run(job, { resumed: true });
      return left.length;
    },

    async stop() {
      stopping.abort(new Error('Darkroom is stopping'));
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}
