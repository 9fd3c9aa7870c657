import type { ImageClient } from '@darkroom/image-api';
import { CancelledError } from './cancellations.ts';
import type { FinishedPicture, JobPicture, TaskProgress } from './delivery-port.ts';
import { type Job, type JobTask, wasStopped, withholding } from './job.ts';
import type { JobStore } from './job-store.ts';
import { createJobWriter, type JobWriter, retryWrite } from './job-writer.ts';
import { downloadPicture, type PictureDownloadDependencies, USUAL_BYTES } from './picture-download.ts';
import { type RunTaskDependencies, runTask } from './run-task.ts';
import { mergeProgress, NO_PROGRESS } from './task-progress.ts';
import { failTask, withTask } from './task-row.ts';

/**
 * How long the write of `delivering` is retried before the outcome is shown in the reply anyway: longer than a backup locks
 * the store. If it fails, the next process looks there.
 */
export const UNWRITTEN_MS = 30_000;

/** How long a picture is fetched before its reply says so: it waits for an edit that is on its way. */
const FINISHING_AFTER_MS = 500;

export interface GenerateDependencies extends RunTaskDependencies, PictureDownloadDependencies {
  jobs: Pick<JobStore, 'save' | 'loadPictures'>;
  images: Pick<ImageClient, 'submit' | 'cancel' | 'download'>;
}

export interface GenerateOptions {
  /** Ends it: the row tells the next run where to go on. */
  signal: AbortSignal;
  /** Ends submissions that have left, too: later than `signal`. */
  forceAbort: AbortSignal;
  /** Nobody wants it any more; its reason says who has cancelled it. */
  cancelled: AbortSignal;
  /** Waited for before anything is submitted. Rejects with the reason of `signal`. */
  beforeSubmit?: () => Promise<void>;
  onProgress: (job: Job, progress: readonly TaskProgress[]) => void;
}

/**
 * The first phase of a run: takes `job` from wherever its row says it is to where all its tasks have ended, with the
 * pictures there are. Rejects with the reason of `signal`.
 */
export async function generate(
  job: Job,
  deps: GenerateDependencies,
  options: GenerateOptions,
): Promise<{ job: Job; pictures: FinishedPicture[] }> {
  const writer = createJobWriter(job, deps);
  const pictures = await picturesOf(job, writer, deps, options);
  return { job: writer.current(), pictures: pictures.filter((picture) => picture !== undefined) };
}

async function picturesOf(
  job: Job,
  writer: JobWriter,
  deps: GenerateDependencies,
  options: GenerateOptions,
): Promise<(FinishedPicture | undefined)[]> {
  const { signal } = options;
  switch (job.state) {
    case 'asked':
      await writeEnded(writer, (task) => failTask(task, { kind: 'restarted' }), deps, options);
      return [];
    case 'developing': {
      const pictures = await runTasks(job, writer, deps, options);
      await writeEnded(writer, (task) => task, deps, options);
      return pictures;
    }
    default: {
      const saved = job.state === 'waiting' ? await loadSaved(job, deps, signal) : undefined;
      const observe = observeTasks(writer, options.onProgress);
      return (
        saved ??
        Promise.all(job.tasks.map((_, index) => download(index, writer, deps, signal, observe(index))))
      );
    }
  }
}

/** What was saved of an outcome that waits, on disk again; where that takes no more it is read from the store when its turn has come. */
function loadSaved(
  { id, tasks }: Job,
  { jobs, spool, memory }: GenerateDependencies,
  signal: AbortSignal,
): Promise<FinishedPicture[] | undefined> {
  const load = async () => {
    const saved = await jobs.loadPictures(id);
    return (
      saved &&
      Promise.all(
        saved.map(async (picture) => {
          const { task } = picture;
          async function read(): Promise<JobPicture> {
            const found = (await jobs.loadPictures(id))?.find((one) => one.task === task);
            if (!found) throw new Error(`picture ${task} of job ${id} is neither on disk nor in the store`);
            return found;
          }
          const finished = (await spool.write(id, picture)) ?? { task, size: picture.bytes.byteLength, read };
          return { ...finished, saved: true as const };
        }),
      )
    );
  };
  return memory.hold(USUAL_BYTES * tasks.length, load, signal);
}

/** Each picture is downloaded as soon as its task is completed: its address may not live until the others are. */
async function runTasks(
  job: Job,
  writer: JobWriter,
  deps: GenerateDependencies,
  { signal, forceAbort, cancelled, beforeSubmit, onProgress }: GenerateOptions,
): Promise<(FinishedPicture | undefined)[]> {
  const observeNth = observeTasks(writer, onProgress);

  async function run({ state }: JobTask, index: number): Promise<FinishedPicture | undefined> {
    const observe = observeNth(index);
    observe({});
    if (state === 'planned' || state === 'submitting') await beforeSubmit?.();
    const apiKey = job.secrets?.apiKey;
    await runTask(writer, index, { apiKey, observe, stopping: signal, forceAbort, cancelled }, deps);
    return download(index, writer, deps, signal, observe);
  }

  // All of them: a submission that has left is waited for, also where another task has stopped already.
  const runs = await Promise.allSettled(job.tasks.map(run));
  return runs.map((settled) => {
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  });
}

/** What is seen of each task becomes part of the progress of the job, which is another list only where it is news. */
function observeTasks(
  writer: JobWriter,
  onProgress: GenerateOptions['onProgress'],
): (index: number) => (seen: Partial<TaskProgress>) => void {
  let progress: readonly TaskProgress[] = writer.current().tasks.map(() => NO_PROGRESS);
  return (index) => (seen) => {
    const before = progress[index] ?? NO_PROGRESS;
    const after = mergeProgress(before, seen);
    if (after !== before) progress = progress.with(index, after);
    onProgress(writer.current(), progress);
  };
}

/** The picture of a task that is completed; the task fails where there is none to be had. */
async function download(
  index: number,
  writer: JobWriter,
  deps: GenerateDependencies,
  signal: AbortSignal,
  observe: (seen: Partial<TaskProgress>) => void,
): Promise<FinishedPicture | undefined> {
  const job = writer.current();
  const task = job.tasks[index];
  if (task?.state !== 'completed') return undefined;
  const fetched = new AbortController();
  deps.clock.sleep(FINISHING_AFTER_MS, fetched.signal).then(
    () => observe({}),
    () => undefined,
  );
  const result = await downloadPicture(job, index, task, signal, observe, deps).finally(() =>
    fetched.abort(),
  );
  if (result.state === 'downloaded') return result.picture;
  await writer.tryWrite(withTask(index, failTask(task, result.failure)));
  return undefined;
}

/** Written before anything is sent. */
function writeEnded(
  writer: JobWriter,
  change: (task: JobTask) => JobTask,
  { clock, random, log }: GenerateDependencies,
  { signal, cancelled }: Pick<GenerateOptions, 'signal' | 'cancelled'>,
): Promise<void> {
  function ended(job: Job): Job {
    const tasks = job.tasks.map(change);
    const { flagged, private: hidden } = job;
    const { reason } = cancelled;
    const byOther = reason instanceof CancelledError && reason.by !== job.member.id;
    return {
      ...job,
      ...withholding({ private: hidden, flagged, tasks }),
      ...(byOther && tasks.some(wasStopped) && { moderated: true }),
      tasks,
      state: 'delivering',
      endedAt: clock.now(),
    };
  }
  const jobId = writer.current().id;
  return retryWrite(() => writer.write(ended), { jobId, budgetMs: UNWRITTEN_MS, signal, clock, random, log });
}
