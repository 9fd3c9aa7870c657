import type { Log } from '@darkroom/process';
import { type Clock, retry, type Semaphore, withTimeout } from '@darkroom/time';
import mime from 'mime';
import { FETCHING } from '../../jobs/bring-input.ts';
import type { FetchPicture, FinishedPicture, JobPicture } from '../../jobs/delivery-port.ts';
import { type AttachedFile, FileGoneError, type ShownPicture } from '../../jobs/input.ts';
import { completedTasks, type Job } from '../../jobs/job.ts';
import { bytesOfLarger, createByteEstimate, inRoom, USUAL_BYTES } from '../../jobs/picture-room.ts';
import { classifyDiscordError } from '../classify-discord-error.ts';
import type { MessageApi } from '../message-api.ts';

/** For one picture of the service, in real milliseconds. */
const TIMEOUT_MS = 20_000;

/** To find out where the file of one is, likewise. */
const FIND_TIMEOUT_MS = 10_000;

/** Pictures that have been shown already, to be shown once more. */
export type ShownPictures = ReturnType<typeof createShownPictures>;

export function createShownPictures({
  fetchPicture,
  fetchFile,
  memory,
  clock,
  log,
}: {
  fetchPicture: FetchPicture;
  /** In time. Rejects where Discord has it no more, or does not answer. */
  fetchFile(file: AttachedFile, signal: AbortSignal): Promise<Uint8Array>;
  /** Pictures on their way to Discord. */
  memory: Semaphore;
  clock: Clock;
  log: Log;
}) {
  async function read(
    job: Job,
    task: number,
    file: AttachedFile | undefined,
    { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
  ): Promise<JobPicture> {
    const found = job.tasks[task];
    if (file) {
      try {
        const bytes = await fetchFile(file, signal);
        return { bytes, contentType: mime.getType(file.name) ?? 'image/png', task };
      } catch (error) {
        log.info({ err: error, job: job.id }, 'Discord does not give back a picture');
      }
    }
    if (found?.state !== 'completed')
      throw new FileGoneError('no file shows the picture, and no task has drawn it');
    const fromService = (within: AbortSignal) =>
      retry(() => fetchPicture(job, found.imageUrl, { maxBytes, signal: within }), {
        policy: FETCHING,
        clock,
        signal: within,
      });
    try {
      return { ...(await withTimeout(TIMEOUT_MS, fromService, { signal })), task };
    } catch (cause) {
      signal.throwIfAborted();
      if (bytesOfLarger(cause) !== undefined) throw cause;
      throw new FileGoneError('the picture is not to be had any more', { cause });
    }
  }

  return {
    /**
     * Those of a job: `files` of the message that shows them, or the image service's while it keeps them. Reading one
     * rejects with `FileGoneError` where neither has it any more, and where it is larger than its size says, which is
     * then put right.
     */
    of: (job: Job, files: readonly AttachedFile[]): FinishedPicture[] =>
      completedTasks(job).map((task) => {
        const file = shownFile(job, task, files);
        const estimate = createByteEstimate(file?.size ?? USUAL_BYTES);
        return {
          task,
          get size() {
            return estimate.size;
          },
          read: (signal) => estimate.fetch((maxBytes) => read(job, task, file, { maxBytes, signal })),
        };
      }),

    /** The same with one of them, in time. Rejects as reading it does. */
    use: <Result>(
      picture: FinishedPicture,
      work: (picture: JobPicture) => Promise<Result>,
    ): Promise<Result> =>
      withTimeout(2 * TIMEOUT_MS, (signal) =>
        inRoom(memory, picture, async () => work(await picture.read(signal)), { signal }),
      ),
  };
}

/** The file of a message that shows the picture of a task. */
export const shownFile = (
  job: Pick<Job, 'tasks'>,
  task: number,
  files: readonly AttachedFile[],
): AttachedFile | undefined => fileAt(shownAs(job, task), files);

/** What tells the picture of a task from the others of its job. */
export function shownAs(
  job: Pick<Job, 'tasks'>,
  task: number,
): Pick<ShownPicture, 'nth' | 'count'> & { seed: number | undefined } {
  const completed = completedTasks(job);
  return { seed: job.tasks[task]?.seed, nth: completed.indexOf(task), count: completed.length };
}

/** By its seed, which stands in its name; by its number where seeds are alike, or the name is another. */
function fileAt(
  { seed, nth, count }: ReturnType<typeof shownAs>,
  files: readonly AttachedFile[],
): AttachedFile | undefined {
  const named = files.filter(({ name }) => new RegExp(`\\b${seed}\\b`).test(name));
  if (named.length === 1) return named[0];
  return files.length === count ? files[nth] : undefined;
}

/**
 * The file of a picture in a message of the bot, at an address that is fresh. Rejects with `FileGoneError` where the
 * message or its file is not to be had any more, with the reason of `signal`, and where Discord may tell it later.
 */
export async function findShownFile(
  shown: ShownPicture,
  signal: AbortSignal,
  discord: Pick<MessageApi, 'read'>,
): Promise<AttachedFile> {
  const read = withTimeout(FIND_TIMEOUT_MS, (within) => discord.read(shown, within), { signal });
  const message = await read.catch((cause: unknown) => {
    if (classifyDiscordError(cause).kind === 'temporary') throw cause;
    throw new FileGoneError('the message that shows the picture cannot be read', { cause });
  });
  const file = fileAt(shown, message.attachments);
  if (!file) throw new FileGoneError('the message shows the picture no more');
  return file;
}
