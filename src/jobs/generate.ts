import type { ImageClient } from '@darkroom/image-api';
import type { FinishedPicture, JobPicture, TaskProgress } from './delivery-port.ts';
import { type Job, type JobTask, withholding } from './job.ts';
import type { JobStore } from './job-store.ts';
import { createJobWriter, type JobWriter, retryWrite } from './job-writer.ts';
import { downloadPicture, type PictureDownloadDependencies, USUAL_BYTES } from './picture-download.ts';
import { type RunTaskDependencies, runTask } from './run-task.ts';
import { mergeProgress, NO_PROGRESS } from './task-progress.ts';
import { failTask, withTask } from './task-row.ts';

/**
 * How long the write of `delivering` is retried before the outcome is sent anyway: longer than a backup locks the store.
 * If it fails, the next process looks for the message.
 */
export const UNWRITTEN_MS = 30_000;

export interface GenerateDependencies extends RunTaskDependencies, PictureDownloadDependencies {
  jobs: Pick<JobStore, 'save' | 'loadPictures'>;
  images: Pick<ImageClient, 'submit' | 'cancel' | 'download'>;
}

export interface GenerateOptions {
  /** Ends it: the row tells the next run where to go on. */
  signal: AbortSignal;
  /** Ends submissions that have left, too: later than `signal`. */
  forceAbort: AbortSignal;
  /** The member no longer wants it. */
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
      await writeEnded(writer, (task) => failTask(task, { kind: 'restarted' }), deps, signal);
      return [];
    case 'developing': {
      const pictures = await runTasks(job, writer, deps, options);
      await writeEnded(writer, (task) => task, deps, signal);
      return pictures;
    }
    default: {
      const saved = job.state === 'waiting' ? await loadSaved(job, deps, signal) : undefined;
      const progress = job.tasks.map(() => NO_PROGRESS);
      const observeNth = (index: number) => observeTask(index, writer, progress, options.onProgress);
      return (
        saved ??
        Promise.all(job.tasks.map((_, index) => download(index, writer, deps, signal, observeNth(index))))
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
  const progress = job.tasks.map(() => NO_PROGRESS);
  onProgress(writer.current(), progress);

  async function run({ state }: JobTask, index: number): Promise<FinishedPicture | undefined> {
    const observe = observeTask(index, writer, progress, onProgress);
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

/** What is seen of one task becomes part of the job's progress. Most polls see nothing new. */
function observeTask(
  index: number,
  writer: JobWriter,
  progress: TaskProgress[],
  onProgress: GenerateOptions['onProgress'],
): (seen: Partial<TaskProgress>) => void {
  let shown: Job | undefined;
  return (seen) => {
    const before = progress[index] ?? NO_PROGRESS;
    const after = mergeProgress(before, seen);
    const job = writer.current();
    // An estimate that has come too near is no longer shown, without anything new.
    if (after === before && job === shown && after.expectedAt === undefined) return;
    progress[index] = after;
    shown = job;
    onProgress(job, progress);
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
  const result = await downloadPicture(job, index, task, signal, observe, deps);
  if (result.state === 'downloaded') return result.picture;
  await writer.tryWrite(withTask(index, failTask(task, result.failure)));
  return undefined;
}

/** Written before anything is sent. */
function writeEnded(
  writer: JobWriter,
  change: (task: JobTask) => JobTask,
  { clock, random, log }: GenerateDependencies,
  signal: AbortSignal,
): Promise<void> {
  function ended(job: Job): Job {
    const tasks = job.tasks.map(change);
    const { flagged, private: hidden } = job;
    return {
      ...job,
      ...withholding({ private: hidden, flagged, tasks }),
      tasks,
      state: 'delivering',
      endedAt: clock.now(),
    };
  }
  const jobId = writer.current().id;
  return retryWrite(() => writer.write(ended), { jobId, budgetMs: UNWRITTEN_MS, signal, clock, random, log });
}
