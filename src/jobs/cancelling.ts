import { type Clock, DAY_MS, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';
import { isOver, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { hasEnded } from './job-task.ts';
import type { Run } from './run.ts';

/** How long it is known that a job is to be cancelled: longer than any job runs. */
const TTL_MS = DAY_MS;

/** How often others' requests to cancel are looked for, and what has become of ours there, in milliseconds. */
const LOOK_MS = 2_000;
const ANSWER_MS = 500;

/** How long who cancels waits to be told what has become of it. */
const CANCELLING_MS = 60_000;

/**
 * What has become of a job that was to be cancelled:
 * - `ended` its tasks have ended since, and say how
 * - `over` they had before
 * - `under-way` that takes longer than anybody waits for the answer
 */
export type Cancelled = { state: 'ended'; job: Job } | { state: 'over' } | { state: 'under-way' };

/** The shards whose jobs are followed here, each until it aborts. */
type FollowedShards = ReadonlySet<{ stopping: AbortController }>;

/**
 * Between those who cancel a job, in whichever process, and its run. Which jobs are to be cancelled, and by whom, is
 * written before anything is done, in rows of their own: whichever process follows a job finds it there, also after a
 * kill, and nobody but that process writes the row of the job.
 */
export function createCancelling({
  jobs,
  store,
  clock,
  runOf,
}: {
  jobs: Pick<JobStore, 'find'>;
  store: Store;
  clock: Clock;
  /** Undefined where a job does not run here. */
  runOf(id: string): { run: Pick<Run, 'cancel'>; ended: Promise<void> } | undefined;
}) {
  const rows = store.collection('cancellations', z.object({ by: z.string() }));
  /** Who has cancelled what: here, and as this process has last seen it in the store. */
  const here = new Map<string, string>();
  let anywhere: ReadonlyMap<string, string> = new Map();
  let watching = false;

  const cancel = (id: string, by: string) => runOf(id)?.run.cancel(by);

  /** Writes that a job is to be cancelled; resolves with who came first. */
  async function write(id: string, by: string): Promise<string> {
    if (await store.insert([rows.row(id, { by }, TTL_MS)])) return by;
    return (await rows.get(id))?.by ?? by;
  }

  /** Reads what was cancelled before this process began, or in another one. Rejects as the store does. */
  async function read(): Promise<void> {
    anywhere = new Map((await rows.list()).map(({ id, value }) => [id, value.by]));
  }

  return {
    /** Who has cancelled a job, also before its run began; undefined where nobody has. */
    by: (id: string): string | undefined => here.get(id) ?? anywhere.get(id),

    /** The run of a job that was cancelled has ended, and no other one follows. */
    async end(id: string): Promise<void> {
      here.delete(id);
      // It expires by itself where the store does not take that.
      await rows.delete(id).catch(() => undefined);
    },

    /** Cancels jobs, whichever process runs them; who came first stays. Rejects where that cannot be written. */
    async request(ids: readonly string[], by: string): Promise<void> {
      const written = await Promise.all(ids.map(async (id) => ({ id, first: await write(id, by) })));
      for (const { id, first } of written) {
        here.set(id, first);
        cancel(id, first);
      }
    },

    async untilTasksEnd(id: string): Promise<Cancelled> {
      try {
        for (const until = clock.now() + CANCELLING_MS; clock.now() < until; ) {
          const runEnds = () => runOf(id)?.ended ?? new Promise<void>(() => undefined);
          await withTimeout(ANSWER_MS, runEnds, { clock }).catch(() => undefined);
          const job = await jobs.find(id);
          if (job && (isOver(job) || job.tasks.every(hasEnded))) return { state: 'ended', job };
        }
        return { state: 'under-way' };
      } finally {
        if (!runOf(id)) here.delete(id);
      }
    },

    read,

    /** Reads it again and again, in one small read for all jobs, as long as there is something that is `followed`. */
    async watch(followed: FollowedShards): Promise<void> {
      if (watching) return;
      watching = true;
      for (let [first] = followed; first; [first] = followed) {
        await clock.sleep(LOOK_MS, first.stopping.signal).catch(() => undefined);
        await read().catch(() => undefined);
        for (const [id, by] of anywhere) cancel(id, by);
      }
      watching = false;
    },
  };
}
