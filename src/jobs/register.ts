import { within } from '../deadline.ts';
import type { Log } from '../log.ts';
import type { Job } from './job.ts';
import { UnwrittenError } from './job-row.ts';
import type { JobStore } from './job-store.ts';

/** How long the row of a job may take, in real milliseconds: its member's interaction is answered within three seconds. */
const WRITING_MS = 1_500;

/** Where a job is entered before its interaction is acknowledged. */
export interface Register {
  /** False where the job is known. Rejects with `UnwrittenError` where it cannot be written in time; then nothing is left of it. */
  enter(job: Job): Promise<boolean>;
  /** Removes a job that did not begin. Never rejects. */
  strike(job: Job): Promise<void>;
}

export function createRegister({
  jobs,
  log,
}: {
  jobs: Pick<JobStore, 'find' | 'add' | 'forget'>;
  log: Log;
}): Register {
  async function strike(job: Job): Promise<void> {
    await jobs.forget(job).catch((error: unknown) => {
      log.error({ err: error, job: job.id }, 'a job that did not begin could not be removed');
    });
  }

  async function write(job: Job): Promise<boolean> {
    if (await jobs.find(job.id)) return false;
    await jobs.add(job);
    return true;
  }

  return {
    strike,

    async enter(job) {
      const written = write(job);
      try {
        return await within(WRITING_MS, undefined, () => written);
      } catch (cause) {
        // It may yet be written, and its member is told that it was not.
        void written.catch(() => undefined).then(() => strike(job));
        throw new UnwrittenError(`job ${job.id} could not be written down`, { cause });
      }
    },
  };
}
