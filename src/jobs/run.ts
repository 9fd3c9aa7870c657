import { setMaxListeners } from 'node:events';
import type { Log } from '@darkroom/process';
import { type Clock, retry, type Semaphore } from '@darkroom/time';
import type { Payer } from '../credentials/key-owner.ts';
import type { Delivery, NoteLate } from './delivery-port.ts';
import type { AttachedFile, ShownPicture } from './input.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { PictureSpool } from './picture-spool.ts';
import type { ServiceAccess } from './service-calls/service-access.ts';
import { mergeProgress, NO_PROGRESS, type TaskProgress } from './task-progress.ts';

export interface RunDependencies {
  jobs: Pick<JobStore, 'save' | 'saveLate' | 'saveAndSettle' | 'savePictures' | 'loadPictures'>;
  service: ServiceAccess;
  /** With which key somebody pays now, if with any. Rejects where that cannot be read. */
  keyOf(payer: Payer): Promise<string | undefined>;
  /** Finished pictures on their way to their member. */
  pictures: {
    spool: PictureSpool;
    /** Bytes of pictures that are in memory between the service, the disk and the store. */
    memory: Semaphore;
    /** Bytes of pictures that are brought to the service, which do not wait for those that it has made. */
    inputMemory: Semaphore;
    /** Rejects with `FileGoneError` where it is not to be had any more, or with the reason of `signal`. */
    fetchFile(file: AttachedFile, signal: AbortSignal): Promise<Uint8Array>;
    /** Where Discord keeps the file of a picture that a message shows now. Rejects as `fetchFile` does. */
    findShown(picture: ShownPicture, signal: AbortSignal): Promise<AttachedFile>;
  };
  delivery: Delivery;
  events: {
    /** An outcome stands where its member sees it. `afterMs`: since its last picture was finished. */
    delivered(afterMs: number): void;
    /** A job has run to its end here, or waits. `apiKey`: the key that paid, where that can be read. */
    ended(job: Job, apiKey: string | undefined): void;
  };
  clock: Clock;
  log: Log;
}

/** What ends a run, or a part of it: each run has its own. */
interface RunSignals {
  /** Nobody wants the job any more: what is not over fails as `cancelled`, `left` or `withdrawn`. */
  cancelled: AbortSignal;
  /** The job is no longer followed here: what is not over stays in its row for the next run. */
  stopping: AbortSignal;
  /** `stopping`, some seconds later: what was sent to the service is no longer waited for. */
  abandoned: AbortSignal;
}

/** A job that is followed here. Its tasks run side by side: changes are immediate, writes follow each other. */
export type Run = ReturnType<typeof createRun>;

/** The row could not be written before a step that may not be taken unwritten; the step was not taken. */
export class JobWriteError extends Error {
  override readonly name = 'JobWriteError';
}

/** `progressHeld`: nothing is shown before `showProgress`. `abandoned`: as in `RunSignals`. */
export function createRun(
  begun: Job,
  { abandoned, progressHeld = false }: { abandoned: AbortSignal; progressHeld?: boolean },
  deps: RunDependencies,
) {
  const { id } = begun;
  const { jobs, delivery, log } = deps;
  const cancelling = createController();
  const stopping = createController();
  const signals: RunSignals = { cancelled: cancelling.signal, stopping: stopping.signal, abandoned };
  let current = begun;
  /** As it was last written, as far as is certain. */
  let stored = begun;
  /** Also once its row has it no more. */
  let apiKey = begun.secrets?.apiKey;
  let cancelledBy: string | undefined;
  let written = Promise.resolve();
  let isShown = !progressHeld;
  let isObserved = false;
  let progress: readonly TaskProgress[] = begun.tasks.map(() => NO_PROGRESS);

  function inOrder(save: () => Promise<void>): Promise<void> {
    written = written
      .catch(() => undefined)
      .then(save)
      .catch((cause: unknown) => {
        throw new JobWriteError(`the state of job ${id} could not be written`, { cause });
      });
    return written;
  }

  /**
   * Resolves when the change is durable; rejects with `JobWriteError` where it cannot be. For what must not happen
   * unwritten.
   */
  function write(change: (job: Job) => Job): Promise<void> {
    current = change(current);
    apiKey = current.secrets?.apiKey ?? apiKey;
    const saved = current;
    return inOrder(async () => {
      await (stopping.signal.aborted ? jobs.saveLate(saved) : jobs.save(saved, stored));
      stored = saved;
    });
  }

  /**
   * For what has happened already: a store that fails is logged, and the job goes on. Every write holds the whole
   * row, so the next one that succeeds makes up for it.
   */
  async function tryWrite(change: (job: Job) => Job): Promise<void> {
    await write(change).catch((error: unknown) => {
      log.error({ err: error, job: id }, 'the state of a job could not be written; it goes on unwritten');
    });
  }

  /** Another process may follow it once this one has abandoned it. */
  const noteLate: NoteLate = async (lateUntil) => {
    if (!abandoned.aborted) await tryWrite((job) => ({ ...job, reply: { ...job.reply, lateUntil } }));
  };

  /** Merges what is seen of a task into the progress: a new list only where that is news. */
  function observe(index: number, seen: Partial<TaskProgress>): void {
    const before = progress[index] ?? NO_PROGRESS;
    const after = mergeProgress(before, seen);
    if (after !== before) progress = progress.with(index, after);
    isObserved = true;
    if (isShown) delivery.show(current, progress, noteLate);
  }

  return {
    id,
    deps,
    signals,
    /** The job as it is now, perhaps not yet written. */
    job: (): Job => current,
    /** The key that pays for it now, or did last. */
    apiKey: (): string | undefined => apiKey,
    /** Goes on from the row as another process has left it. Before its first step. */
    adopt(job: Job): void {
      current = job;
      stored = job;
      apiKey = job.secrets?.apiKey ?? apiKey;
    },
    write,
    tryWrite,
    /** Writes a job that is over, or waits: again and again until that works, or the run stops. */
    async writeEnd(job: Job): Promise<void> {
      await retryWrite({ id, deps, signals }, 'the end of a job', () =>
        inOrder(() => jobs.saveAndSettle(job)),
      );
      current = job;
      stored = job;
    },
    /** How far each task is; empty before any of it is shown. */
    progress: (): readonly TaskProgress[] => (isShown && isObserved ? progress : []),
    observe,
    /** Shows what the row says of a task by now; trouble that was seen is over. */
    showTask: (index: number): void => observe(index, {}),
    /** Shows the progress that was held back, and whatever follows. */
    showProgress(): void {
      isShown = true;
      if (isObserved) delivery.show(current, progress, noteLate);
    },
    /** The member or the moderator who has cancelled it. */
    cancelledBy: (): string | undefined => cancelledBy,
    /** `by`: who does. Who came first stays. */
    cancel(by: string): void {
      cancelledBy ??= by;
      cancelling.abort(new Error('the job was cancelled'));
    },
    stop: (reason: Error): void => stopping.abort(reason),
  };
}

/**
 * How long the write of `delivering` is retried before the outcome is shown in the reply anyway: longer than a backup
 * locks the store. If it fails, the next process looks there.
 */
export const UNWRITTEN_MS = 30_000;

/**
 * Makes `write` until it succeeds, or for `budgetMs`: then the job goes on unwritten. `what` is written, as the log says
 * it at the first failure and where it gives up. Rejects with the reason of `stopping`.
 */
export async function retryWrite(
  { id, signals: { stopping: signal }, deps: { clock, log } }: Pick<Run, 'id' | 'signals' | 'deps'>,
  what: string,
  write: () => Promise<void>,
  { budgetMs = Number.POSITIVE_INFINITY }: { budgetMs?: number } = {},
): Promise<void> {
  const report = (error: unknown, level: 'error' | 'debug' = 'error') =>
    log[level]({ err: error, job: id }, `${what} could not be written`);
  const policy = { budgetMs, lastAttemptAtEnd: true };
  // In an outage of the store thousands of jobs try for hours.
  const onRetry = (error: unknown, _: number, count: number) =>
    report(error, count === 1 ? 'error' : 'debug');
  await retry(write, { policy, clock, signal, onRetry }).catch((error: unknown) => {
    signal.throwIfAborted();
    report(error);
  });
}

/** Much waits on one signal of a run, and that is no leak. */
export function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
