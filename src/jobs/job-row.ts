import type { Log } from '../log.ts';
import type { Job, JobTask } from './job.ts';
import type { JobStore } from './job-store.ts';

/** A job in memory and its row. Its tasks run side by side: changes are immediate, writes follow each other. */
export interface JobRow {
  current(): Job;
  /** Resolves when the change is durable; rejects with `UnwrittenError` where it cannot be. For what must not happen unwritten. */
  commit(change: (job: Job) => Job): Promise<void>;
  /**
   * For what has happened already: a store that fails is logged, and the job goes on. Every write holds the whole row,
   * so the next one that succeeds makes up for it.
   */
  note(change: (job: Job) => Job): Promise<void>;
}

/** What must not happen unwritten did not happen. */
export class UnwrittenError extends Error {
  override readonly name = 'UnwrittenError';
}

export function createJobRow(job: Job, jobs: Pick<JobStore, 'save'>, log: Log): JobRow {
  let current = job;
  let written = Promise.resolve();

  function commit(change: (job: Job) => Job): Promise<void> {
    current = change(current);
    const row = current;
    written = written
      .catch(() => undefined)
      .then(() => jobs.save(row))
      .catch((cause: unknown) => {
        throw new UnwrittenError(`the state of job ${job.id} could not be written`, { cause });
      });
    return written;
  }

  return {
    current: () => current,
    commit,
    async note(change) {
      await commit(change).catch((error: unknown) => {
        log.error(
          { err: error, job: job.id },
          'the state of a job could not be written; it goes on unwritten',
        );
      });
    },
  };
}

/** The job with one of its tasks replaced. */
export const withTask =
  (index: number, task: JobTask) =>
  (job: Job): Job => ({ ...job, tasks: job.tasks.with(index, task) });
