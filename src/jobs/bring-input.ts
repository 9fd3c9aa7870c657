import { createHash } from 'node:crypto';
import { ServiceError } from '@darkroom/image-api';
import { type RetryPolicy, retry } from '@darkroom/time';
import { areaOf } from '../limits/size.ts';
import { FileGoneError, type Input, type ShownPicture, sizeOfResult } from './input.ts';
import { guildOrMember, type Job } from './job.ts';
import type { TaskFailure } from './job-task.ts';
import { bytesOfLarger, createByteEstimate, inRoom, USUAL_BYTES } from './picture-room.ts';
import { replaceKey } from './replaced-key.ts';
import { reportFailure } from './report-failure.ts';
import type { Run } from './run.ts';
import { RETRY_WAITS } from './service-calls/poll-timing.ts';

/** For how long a picture is fetched again and again: somebody waits, and its address expires. */
export const FETCHING: RetryPolicy = {
  budgetMs: 30_000,
  lastAttemptAtEnd: true,
  firstMs: 500,
  maxMs: 5_000,
  isRetryable: (error) =>
    error instanceof ServiceError ? error.retryable : !(error instanceof FileGoneError),
};
const BRINGING: RetryPolicy = {
  ...RETRY_WAITS,
  budgetMs: 5 * 60_000,
  lastAttemptAtEnd: true,
  isRetryable: (error) => error instanceof ServiceError && error.retryable,
};

/**
 * Brings the picture that a job begins with to the image service, and writes down what it is called there: before
 * anything is submitted, so that a file that is no picture costs nothing. Brought again after a kill, it is the same
 * upload there. `input`: the job's own unless given. Resolves with why there is none; rejects with the reason of
 * `stopping`.
 */
export async function bringInput(run: Run, input = run.job().input): Promise<TaskFailure | undefined> {
  const { payer, secrets: { apiKey } = {}, deadlineAt } = run.job();
  const { service, pictures, clock, log } = run.deps;
  const { stopping, cancelled } = run.signals;
  if (!input) return undefined;
  if (input.name !== undefined) return sizeFailure(run.job());
  // Without a key, or too late, its tasks come to nothing by themselves.
  if (apiKey === undefined || clock.now() >= deadlineAt) return undefined;
  // Bringing takes its time, and so far the row says `asked`, which another process would not go on with.
  await run.tryWrite((job) => job);
  const signal = AbortSignal.any([stopping, cancelled]);

  const estimate = createByteEstimate(input.file?.size ?? USUAL_BYTES);
  const bring = async (): Promise<Input> => {
    const bytes = await estimate.fetch((maxBytes) => fetchInput(run, input, { maxBytes, signal }));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const upload = () => service.images.upload(bytes, { apiKey, signal, once: true });
    const { id, width, height, animated } = await service.rateLimiter.run(
      guildOrMember(run.job()),
      'upload',
      upload,
      { signal },
    );
    const named = { ...input, name: `upload:${id}`, payer, width, height, sha256 };
    return animated ? { ...named, animated } : named;
  };

  try {
    // It is fetched anew each time: while it waits it keeps nobody else's picture out of memory.
    const attempt = () => inRoom(pictures.inputMemory, estimate, bring, { signal });
    const brought = await retry(attempt, { policy: BRINGING, clock, signal });
    await run.write((job) => ({ ...job, input: brought }));
    return sizeFailure(run.job());
  } catch (error) {
    stopping.throwIfAborted();
    if (cancelled.aborted) return { kind: 'withdrawn' };
    if (await replaceKey(run, apiKey, error)) return bringInput(run, input);
    return reportFailure(error, log, { job: run.id });
  }
}

/** Where the result would be too large, which is known once the size of the picture is. */
function sizeFailure({ submission, input }: Job): TaskFailure | undefined {
  const size = sizeOfResult({ submission, input });
  const isTooLarge = size && input?.mostPixels !== undefined && areaOf(size) > input.mostPixels;
  return isTooLarge ? { kind: 'result-too-large' } : undefined;
}

/**
 * From Discord, else from the service that drew it. Rejects with `FileGoneError`, with `ServiceError` where it has more
 * than `maxBytes`, or with the reason of `signal`.
 */
async function fetchInput(
  { job, deps: { pictures, service, clock } }: Pick<Run, 'job' | 'deps'>,
  { file, shown, imageUrl }: Input,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const fromDiscord = file && (() => pictures.fetchFile(file, signal));
  async function fetchShown(picture: ShownPicture): Promise<Uint8Array> {
    const found = await pictures.findShown(picture, signal);
    if (found.size <= maxBytes) return pictures.fetchFile(found, signal);
    const about = { pictureBytes: found.size };
    throw new ServiceError('blocked', `the picture of a message is larger than ${maxBytes} bytes`, about);
  }
  const fromMessage = shown && (() => fetchShown(shown));
  const fromService =
    imageUrl === undefined
      ? undefined
      : async () => (await service.fetchPicture(job(), imageUrl, { signal, maxBytes })).bytes;
  let cause: unknown;
  for (const fetchPicture of [fromDiscord, fromMessage, fromService]) {
    try {
      if (fetchPicture) return await retry(fetchPicture, { policy: FETCHING, clock, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (bytesOfLarger(error) !== undefined) throw error;
      cause = error;
    }
  }
  throw new FileGoneError('the picture that a job begins with cannot be fetched', { cause });
}
