import { randomUUID } from 'node:crypto';
import { bringInput } from './bring-input.ts';
import type { FinishedPicture, JobPicture } from './delivery-port.ts';
import { unnamed } from './input.ts';
import { completedTasks, type Job, withholding, withTask } from './job.ts';
import { constantFields, failTask, type JobTask, type TaskFailure, wasStopped } from './job-task.ts';
import { downloadPicture } from './picture-download.ts';
import { USUAL_BYTES } from './picture-room.ts';
import { type Run, retryWrite, UNWRITTEN_MS } from './run.ts';
import { runTask } from './run-task.ts';

/** How long a picture is fetched before its reply says so: it waits for an edit that is on its way. */
const FINISHING_AFTER_MS = 500;

/** Waited for before anything is submitted. Rejects with the reason of `stopping`. */
type BeforeSubmit = () => Promise<void>;

/**
 * The first step of a run: takes its job from wherever its row says it is to where all its tasks have ended. Resolves
 * with the pictures there are; rejects with the reason of `stopping`.
 */
export async function generate(
  run: Run,
  beforeSubmit: BeforeSubmit = async () => {},
): Promise<FinishedPicture[]> {
  const job = run.job();
  switch (job.state) {
    case 'asked':
      await writeEnded(run, (task) => failTask(task, { kind: 'restarted' }));
      return [];
    case 'developing': {
      const pictures = await runTasks(run, beforeSubmit);
      await writeEnded(run, (task) => task);
      return pictures;
    }
    default: {
      const saved = job.state === 'waiting' ? await loadSaved(run, job.savedBytes) : undefined;
      if (saved) return saved;
      const downloaded = await Promise.all(job.tasks.map((_, index) => download(run, index)));
      return downloaded.filter((picture) => picture !== undefined);
    }
  }
}

/**
 * The saved pictures of an outcome that waits, on disk again; where the disk takes no more, read from the store when
 * sent.
 */
function loadSaved(
  { id, job, deps, signals }: Run,
  bytes = USUAL_BYTES * completedTasks(job()).length,
): Promise<FinishedPicture[] | undefined> {
  const { jobs, pictures } = deps;

  async function read(task: number): Promise<JobPicture> {
    const found = (await jobs.loadPictures(id))?.find((picture) => picture.task === task);
    if (!found) throw new Error(`picture ${task} of job ${id} is neither on disk nor in the store`);
    return found;
  }

  async function toDisk(picture: JobPicture): Promise<FinishedPicture> {
    const { task, bytes } = picture;
    const written = await pictures.spool.write(id, picture);
    return { ...(written ?? { task, size: bytes.byteLength, read: () => read(task) }), saved: true };
  }

  async function load(): Promise<FinishedPicture[] | undefined> {
    const saved = await jobs.loadPictures(id);
    return saved && Promise.all(saved.map(toDisk));
  }

  return pictures.memory.hold(bytes, load, { signal: signals.stopping });
}

/** Each picture is downloaded as soon as its task is completed: its address may not live until the others are. */
async function runTasks(run: Run, beforeSubmit: BeforeSubmit): Promise<FinishedPicture[]> {
  let bringing: Promise<TaskFailure | undefined> | undefined;
  let bringingAnew: Promise<TaskFailure | undefined> | undefined;

  async function takeToPicture(task: JobTask, index: number): Promise<FinishedPicture | undefined> {
    run.showTask(index);
    if (task.state === 'planned' || task.state === 'submitting') {
      await beforeSubmit();
      bringing ??= bringInput(run);
      const failure = await bringing;
      if (failure) await run.tryWrite(withTask(index, failTask(task, failure)));
    }
    await runTask(run, index);
    await submitAnew(index);
    return download(run, index);
  }

  /**
   * Where the service does not know the picture by its name, because the key is another account's by now, the picture
   * is brought anew, once for all tasks, and this task submitted again. The row keeps the old name until then: another
   * task may be about to be submitted with it.
   */
  async function submitAnew(index: number): Promise<void> {
    const { input, tasks } = run.job();
    const task = tasks[index];
    if (task?.state !== 'failed' || task.failure.kind !== 'input-gone' || task.taskId !== undefined) return;
    const nameless = input?.name === undefined ? undefined : unnamed(input);
    if (!nameless && !bringingAnew) return;
    await beforeSubmit();
    if (nameless) bringingAnew ??= bringInput(run, nameless);
    const failure = await bringingAnew;
    const again: JobTask = { ...constantFields(task), state: 'planned', idempotencyKey: randomUUID() };
    await run.tryWrite(withTask(index, failure ? failTask(task, failure) : again));
    await runTask(run, index);
  }

  // All of them: a submission that has left is waited for, also where another task has stopped already.
  const ends = await Promise.allSettled(run.job().tasks.map(takeToPicture));
  return ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value ?? [];
  });
}

async function download(run: Run, index: number): Promise<FinishedPicture | undefined> {
  const task = run.job().tasks[index];
  if (task?.state !== 'completed') return undefined;
  const fetched = new AbortController();
  run.deps.clock.sleep(FINISHING_AFTER_MS, fetched.signal).then(
    () => run.showTask(index),
    () => undefined,
  );
  return downloadPicture(run, index, task).finally(() => fetched.abort());
}

/** Written before anything is sent. */
function writeEnded(run: Run, change: (task: JobTask) => JobTask): Promise<void> {
  const by = run.cancelledBy();

  function ended(job: Job): Job {
    const tasks = job.tasks.map(change);
    const { flagged, private: hidden } = job;
    const byOther = by !== undefined && by !== job.member.id;
    return {
      ...job,
      ...withholding({ private: hidden, flagged, tasks }),
      ...(byOther && tasks.some(wasStopped) && { moderated: true }),
      tasks,
      state: 'delivering',
      endedAt: run.deps.clock.now(),
    };
  }

  return retryWrite(run, 'that the tasks of a job have ended', () => run.write(ended), {
    budgetMs: UNWRITTEN_MS,
  });
}
