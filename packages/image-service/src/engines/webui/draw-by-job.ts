import { CallFailed } from '../call-failed.ts';
import { DrawingError, isLeftRunning } from '../engine.ts';
import { percentByTime } from '../percent-by-time.ts';
import { DrawingLost } from '../servers/drawing-lost.ts';
import { createPatience } from '../servers/patience.ts';
import { sanitize } from '../servers/sanitize.ts';
import type { DrawingOnServer } from './draw-at-once.ts';
import type { Job } from './responses.ts';

/**
 * Follows a job of stable-diffusion.cpp to its end; returns its picture as base64. Its progress is the time that has
 * passed of what the last one took. A job that is given up is taken out of the queue, unless another run looks
 * for it. One that is drawn already is drawn to its end.
 */
export async function followJob(
  job: string,
  {
    server: { client, name },
    times,
    clock,
    log,
    taskId,
    signal,
    onProgress,
    expectedMs,
    remember,
  }: DrawingOnServer & {
    /** How long the drawing will take, as far as anybody knows. */
    expectedMs: number;
    /** Lets the next process know of the job, where it does not yet. */
    remember(): Promise<void>;
  },
): Promise<string | undefined> {
  const patient = createPatience(times, clock);
  let begunAt: number | undefined;
  try {
    await remember();
    for (;;) {
      const found = await patient(ask());
      switch (found?.status) {
        case 'completed':
          return found.result.images[0]?.b64_json;
        case 'failed':
          throw new DrawingError(
            `The image server failed: ${sanitize(found.error?.message ?? '') || 'no reason was given'}`,
          );
        case 'cancelled':
          throw new DrawingLost('the job was cancelled on the server');
        case 'generating': {
          begunAt ??= clock.now();
          onProgress({ percent: percentByTime(clock.now() - begunAt, expectedMs) });
          break;
        }
        default:
          break;
      }
      await clock.sleep(times.pollMs, signal);
    }
  } catch (error) {
    if (!isLeftRunning(signal) && !(error instanceof DrawingError))
      await client
        .cancelJob(job)
        .catch((failure: unknown) =>
          log.debug({ server: name, taskId, err: failure }, 'a job could not be cancelled'),
        );
    throw error;
  }

  async function ask(): Promise<Job> {
    try {
      return await client.job(job, signal);
    } catch (error) {
      if (error instanceof CallFailed && (error.status === 404 || error.status === 410))
        throw new DrawingLost('the server does not know the job any more', { cause: error });
      throw error;
    }
  }
}
