import type { ImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Picture, TaskProgress } from './delivery.ts';
import { failureOf } from './failure.ts';
import { type Failure, type Job, type JobTask, paceKey } from './job.ts';
import type { Pace } from './pace.ts';
import { checkPicture } from './picture-check.ts';
import { waitAfterFailure, worthAnotherPoll } from './poll-wait.ts';

/** For so long a finished picture is asked for while the service fails. It is paid for, and kept there for hours at least. */
const PATIENCE_MS = 20 * 60_000;

export interface PictureDownloadDependencies {
  images: Pick<ImageClient, 'download'>;
  pace: Pace;
  clock: Clock;
  log: Log;
  random: () => number;
}

/**
 * The picture of a completed task, fetched again and again while that can help; or why there is none. Rejects with the
 * reason of `signal`.
 */
export async function downloadPicture(
  job: Job,
  index: number,
  task: JobTask & { state: 'completed' },
  signal: AbortSignal,
  onTrouble: (kind: TaskProgress['trouble']) => void,
  { images, pace, clock, log, random }: PictureDownloadDependencies,
): Promise<Picture | Failure> {
  const patientUntil = clock.now() + PATIENCE_MS;
  async function get(): Promise<Picture> {
    const { bytes, contentType } = await images.download(task.imageUrl, { signal });
    await checkPicture(bytes);
    return { bytes, contentType, task: index };
  }

  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pace.run(paceKey(job), 'download', get, { signal });
    } catch (error) {
      signal.throwIfAborted();
      const again = worthAnotherPoll(error, clock.now() - task.completedAt);
      const patience = patientUntil - clock.now();
      if (!again || patience <= 0) {
        const failure = failureOf(error, log, { job: job.id });
        const lost = error instanceof ServiceError && error.kind !== 'blocked';
        return lost ? { ...failure, kind: 'unfetched', address: task.imageUrl } : failure;
      }
      onTrouble(error.kind);
      await clock.sleep(Math.min(patience, waitAfterFailure(error, attempt, random())), signal);
    }
  }
}
