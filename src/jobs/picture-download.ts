import { PICTURE_LIMITS, ServiceError } from '@darkroom/image-api';
import { essentialBytes } from '@darkroom/image-api/bytes';
import { retry } from '@darkroom/time';
import type { FinishedPicture, JobPicture } from './delivery-port.ts';
import { guildOrMember, withTask } from './job.ts';
import { failTask, type JobTask, type TaskFailure } from './job-task.ts';
import { bytesOfLarger, createByteEstimate, inRoom, USUAL_BYTES } from './picture-room.ts';
import { reportFailure } from './report-failure.ts';
import type { Run } from './run.ts';
import { isMissing, isTransient, RETRY_WAITS } from './service-calls/poll-timing.ts';
import { isFinished } from './service-calls/task-poll.ts';

/** For so long the download of a finished picture is retried. It is paid for, and kept there for hours at least. */
export const FETCHED_MS = 20 * 60_000;

/** More is not decoded, however few bytes it has. */
const MAX_PIXELS = PICTURE_LIMITS.resultSide ** 2;

/**
 * Downloads the picture of a completed task to disk, again and again while that can help, unless it is there already.
 * The task fails where it is not to be had, and there is none. Rejects with the reason of `stopping`. The progress of
 * the run shows that it is tried again, until when, and that it has worked.
 */
export async function downloadPicture(
  run: Run,
  index: number,
  task: JobTask & { state: 'completed' },
): Promise<FinishedPicture | undefined> {
  const { service, pictures, clock, log } = run.deps;
  const { images, rateLimiter } = service;
  const { spool, memory } = pictures;
  const { stopping: signal } = run.signals;
  let address = task.imageUrl;
  const fetchedUntil = clock.now() + FETCHED_MS;
  let troubled = false;

  function onRetry(error: unknown): void {
    troubled = true;
    run.observe(index, { trouble: error instanceof ServiceError ? error.kind : undefined, fetchedUntil });
  }

  async function fetchPicture(within: AbortSignal, maxBytes?: number): Promise<JobPicture> {
    const bounds = { signal: within, once: true, ...(maxBytes !== undefined && { maxBytes }) };
    const { bytes, contentType } = await images.download(address, bounds);
    await checkPicture(bytes);
    return { bytes, contentType, task: index };
  }

  /** Where neither disk nor budget takes it, it is fetched once more when its turn has come. */
  async function fetchToDisk(maxBytes: number): Promise<FinishedPicture> {
    const picture = await fetchPicture(signal, maxBytes);
    const { size = picture.bytes.byteLength, read = fetchPicture } =
      (await spool.write(run.id, picture)) ?? {};
    return { task: index, size, read: (within) => read(within).catch(() => fetchPicture(within)) };
  }

  const inTurn = <Result>(call: (pass: () => void) => Promise<Result>) =>
    rateLimiter.run(guildOrMember(run.job()), 'download', call, { signal });

  /**
   * One that turns out larger is left, and fetched anew once there is room for all of it. Room is taken when its turn
   * has come, so that a server that waits for its rate limit keeps no other from it; where there is none, the turn is
   * given back and comes after the room, so that who waits for room holds no call of their server.
   */
  async function attempt(): Promise<FinishedPicture> {
    const estimate = createByteEstimate(USUAL_BYTES);
    const fetchNow = () => estimate.fetch(fetchToDisk);
    const atOnce = inTurn(async (pass) => {
      const giveBack = memory.tryAcquire(estimate.size);
      return giveBack ? fetchNow().finally(giveBack) : pass();
    });
    const fetched = await atOnce.catch((error: unknown) => {
      if (bytesOfLarger(error) === undefined) throw error;
    });
    return fetched ?? inRoom(memory, estimate, () => inTurn(fetchNow), { signal });
  }

  /** Takes the address that the service names by now, if it is another: one that is signed may live for a minute. */
  async function renewAddress(): Promise<boolean> {
    const { secrets: { apiKey } = {} } = run.job();
    if (apiKey === undefined || (task.service ?? service.name) !== service.name) return false;
    const ask = () => images.status(task.taskId, { apiKey, signal });
    const asked = rateLimiter.run(guildOrMember(run.job()), 'poll', ask, { signal });
    const now = await asked.catch(() => undefined);
    if (!now || !isFinished(now) || now.imageUrl === address) return false;
    address = now.imageUrl;
    await run.tryWrite(withTask(index, { ...task, imageUrl: address }));
    return true;
  }

  const attemptAnywhere = (): Promise<FinishedPicture> =>
    attempt().catch(async (error: unknown) => {
      if (isMissing(error) && (await renewAddress())) return attempt();
      throw error;
    });

  try {
    const earlier = await spooledBefore(run, index);
    if (earlier) return earlier;
    const picture = await retry(attemptAnywhere, {
      policy: {
        ...RETRY_WAITS,
        budgetMs: FETCHED_MS,
        lastAttemptAtEnd: true,
        isRetryable: (error) => isTransient(error, clock.now() - task.completedAt),
      },
      clock,
      signal,
      onRetry,
    });
    if (troubled) run.observe(index, { fetchedUntil: undefined });
    return picture;
  } catch (error) {
    signal.throwIfAborted();
    const failure = reportFailure(error, log, { job: run.id, taskId: task.taskId });
    // What was blocked is no picture, or stands where nobody is to be sent.
    const isBlocked = error instanceof ServiceError && error.kind === 'blocked';
    const kind = error instanceof ServiceError ? 'unfetched' : failure.kind;
    const failed: TaskFailure = isBlocked ? failure : { ...failure, kind, address };
    await run.tryWrite(withTask(index, failTask(task, failed)));
    return undefined;
  }
}

/** The picture that an earlier run has written, unless it ended in the middle of that. */
async function spooledBefore(
  { id, deps: { pictures }, signals: { stopping } }: Run,
  index: number,
): Promise<FinishedPicture | undefined> {
  const spooled = pictures.spool.find(id, index);
  if (!spooled) return undefined;
  const whole = async () => {
    await checkPicture((await spooled.read(stopping)).bytes);
    return spooled;
  };
  const wholeOrNone = () => whole().catch(() => undefined);
  return pictures.memory.hold(spooled.size, wholeOrNone, { signal: stopping });
}

/** Decodes `bytes` once, whole. Throws `ServiceError` where they are no picture, a damaged or too large one. */
export async function checkPicture(bytes: Uint8Array): Promise<void> {
  // Libvips is 14 MiB, which a bot without pictures does without.
  const { default: sharp } = await import('sharp');
  try {
    // One channel is the least that makes libvips decode everything.
    await sharp(essentialBytes(bytes), { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .extractChannel(0)
      .raw()
      .toBuffer();
  } catch (cause) {
    throw new ServiceError('blocked', 'the picture of a task cannot be decoded', { cause });
  }
}
