import type { Log } from '@darkroom/process';
import { type Clock, retry } from '@darkroom/time';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';

/** A job in memory and its row. Its tasks run side by side: changes are immediate, writes follow each other. */
export interface JobWriter {
  current(): Job;
  /** Resolves when the change is durable; rejects with `JobWriteError` where it cannot be. For what must not happen unwritten. */
  write(change: (job: Job) => Job): Promise<void>;
  /**
   * For what has happened already: a store that fails is logged, and the job goes on. Every write holds the whole row,
   * so the next one that succeeds makes up for it.
   */
  tryWrite(change: (job: Job) => Job): Promise<void>;
}

/** What must not happen unwritten did not happen. */
export class JobWriteError extends Error {
  override readonly name = 'JobWriteError';
}

export function createJobWriter(
  job: Job,
  { jobs, log }: { jobs: Pick<JobStore, 'save'>; log: Log },
): JobWriter {
  let current = job;
  let written = Promise.resolve();

  function write(change: (job: Job) => Job): Promise<void> {
    current = change(current);
    const saved = current;
    written = written
      .catch(() => undefined)
      .then(() => jobs.save(saved))
      .catch((cause: unknown) => {
        throw new JobWriteError(`the state of job ${job.id} could not be written`, { cause });
      });
    return written;
  }

  return {
    current: () => current,
    write,
    async tryWrite(change) {
      await write(change).catch((error: unknown) => {
        log.error(
          { err: error, job: job.id },
          'the state of a job could not be written; it goes on unwritten',
        );
      });
    },
  };
}

/**
 * Makes `write` until it succeeds, or for `budgetMs`: then the job goes on unwritten. Rejects with the reason of `signal`.
 */
export async function retryWrite(
  write: () => Promise<void>,
  {
    jobId,
    budgetMs = Number.POSITIVE_INFINITY,
    signal,
    clock,
    random,
    log,
  }: {
    jobId: string;
    budgetMs?: number;
    signal: AbortSignal;
    clock: Clock;
    random: () => number;
    log: Log;
  },
): Promise<void> {
  const warn = (error: unknown) =>
    log.error({ err: error, job: jobId }, 'the end of a job could not be written');
  const policy = { budgetMs, lastAttemptAtEnd: true };
  await retry(write, { policy, clock, random, signal, onRetry: warn }).catch((error: unknown) => {
    signal.throwIfAborted();
    warn(error);
  });
}
