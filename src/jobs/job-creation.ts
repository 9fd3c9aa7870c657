import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import { JobWriteError } from './job-writer.ts';

/** How long the row of a job may take, in real milliseconds: its member's interaction is answered within three seconds. */
const CREATION_TIMEOUT_MS = 1_500;

interface JobCreationDependencies {
  jobs: Pick<JobStore, 'find' | 'create' | 'discard'>;
  log: Log;
}

/**
 * Writes a new job before its interaction is acknowledged. False if a job with this id exists. Rejects with `JobWriteError` where
 * it cannot be written in time; then nothing is left of it.
 */
export async function createInTime(job: Job, { jobs, log }: JobCreationDependencies): Promise<boolean> {
  const creating = (async () => {
    if (await jobs.find(job.id)) return false;
    await jobs.create(job);
    return true;
  })();
  try {
    return await withTimeout(CREATION_TIMEOUT_MS, () => creating);
  } catch (cause) {
    // The write may still succeed after the member was told that it failed.
    void creating.catch(() => undefined).then(() => discard(job, { jobs, log }));
    throw new JobWriteError(`job ${job.id} could not be written down`, { cause });
  }
}

/** Removes a job that did not begin. Never rejects. */
export async function discard(job: Job, { jobs, log }: JobCreationDependencies): Promise<void> {
  await jobs.discard(job).catch((error: unknown) => {
    log.error({ err: error, job: job.id }, 'a job that did not begin could not be removed');
  });
}
