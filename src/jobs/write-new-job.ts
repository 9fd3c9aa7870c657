import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { type LimitedReservation, LimitReachedError } from '../limits/reservation.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { JobWriteError } from './run.ts';

/**
 * How old an interaction may be when its job is written down, in milliseconds: Discord waits for three seconds, and
 * the answer takes its time as well.
 */
const WRITTEN_BY_MS = 2_500;

/** How long the row may take at least, in real milliseconds: Discord's clock may be another than ours. */
const LEAST_MS = 1_500;

interface WritingDependencies {
  jobs: Pick<JobStore, 'create' | 'discard'>;
  log: Log;
}

/**
 * Writes a new job before its interaction, of `askedAt`, is acknowledged. False if a job with this id exists. Rejects
 * with `JobWriteError` where it cannot be written in time, and with `LimitReachedError`; then nothing is left of it.
 */
export async function writeInTime(
  job: Job,
  { askedAt, reservations }: { askedAt: number; reservations: readonly LimitedReservation[] },
  { jobs, log }: WritingDependencies,
): Promise<boolean> {
  const budgetMs = Math.max(LEAST_MS, Math.min(WRITTEN_BY_MS, askedAt + WRITTEN_BY_MS - job.createdAt));
  let creating = Promise.resolve(false);
  try {
    return await withTimeout(budgetMs, (signal) => {
      creating = jobs.create(job, { reservations, signal });
      return creating;
    });
  } catch (cause) {
    if (cause instanceof LimitReachedError) throw cause;
    // The write may still succeed after the member was told that it failed. What was there before stays.
    void creating
      .catch(() => true)
      .then(async (created) => {
        if (created) await discard(job, { jobs, log });
      });
    throw new JobWriteError(`job ${job.id} could not be written down`, { cause });
  }
}

/** Removes a job that did not begin. Never rejects. */
export async function discard(job: Job, { jobs, log }: WritingDependencies): Promise<void> {
  await jobs.discard(job).catch((error: unknown) => {
    log.error({ err: error, job: job.id }, 'a job that did not begin could not be removed');
  });
}
