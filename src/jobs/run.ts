import type { ImageClient } from '../client/client.ts';
import type { Delivery, Picture, Place, TaskProgress } from './delivery.ts';
import type { Job, JobTask } from './job.ts';
import { createJobRow, withTask } from './job-row.ts';
import type { JobStore } from './job-store.ts';
import { downloadPicture } from './picture-download.ts';
import { failed, runTask, type TaskRun, type TaskRunDependencies } from './task-run.ts';

export interface RunDependencies extends TaskRunDependencies {
  jobs: JobStore;
  images: Pick<ImageClient, 'submit' | 'cancel' | 'download'>;
  delivery: Delivery;
}

/**
 * Takes `job` from wherever its row says it is to its end, and resolves with it; every transition is written before the
 * next step. Rejects with the reason of `stopping`: then the row tells the next process where to go on.
 */
export async function runJob(
  job: Job,
  deps: RunDependencies,
  { stopping, hangUp, cancelled }: Pick<TaskRun, 'stopping' | 'hangUp' | 'cancelled'>,
): Promise<Job> {
  const { jobs, delivery, clock, log } = deps;
  const row = createJobRow(job, jobs, log);
  const apiKey = jobs.unseal(job)?.apiKey;
  const progress: TaskProgress[] = job.tasks.map(() => ({
    begun: false,
    percent: undefined,
    queuePosition: undefined,
    expectedAt: undefined,
    trouble: undefined,
  }));

  function observe(index: number, seen: Partial<TaskProgress>): void {
    const before = progress[index];
    if (!before) return;
    const percent = Math.max(before.percent ?? 0, seen.percent ?? 0);
    progress[index] = { ...before, trouble: undefined, ...seen, percent: percent || undefined };
    delivery.show(row.current(), progress);
  }

  /** The picture of a task that is completed; the task fails where there is none to be had. */
  async function download(index: number): Promise<Picture | undefined> {
    const task = row.current().tasks[index];
    if (task?.state !== 'completed') return undefined;
    const onTrouble = (trouble: TaskProgress['trouble']) => observe(index, { trouble });
    const got = await downloadPicture(job, index, task, stopping, onTrouble, deps);
    if ('bytes' in got) return got;
    await row.note(withTask(index, failed(task, got)));
    return undefined;
  }

  /** Each picture is fetched as soon as its task is completed: its address may not live until the others are. */
  async function develop(): Promise<(Picture | undefined)[]> {
    delivery.show(job, progress);
    // All of them: a submission that has left is waited for, also where another task has stopped already.
    const runs = await Promise.allSettled(
      job.tasks.map(async (_, index) => {
        const observing = (seen: Partial<TaskProgress>) => observe(index, seen);
        await runTask(row, index, { apiKey, observe: observing, stopping, hangUp, cancelled }, deps);
        return download(index);
      }),
    );
    const pictures = runs.map((run) => {
      if (run.status === 'rejected') throw run.reason;
      return run.value;
    });
    await row.note(ended);
    return pictures;
  }

  /** Without its bytes a picture that waits is fetched once more when it is asked for. */
  async function keep(pictures: readonly Picture[]): Promise<void> {
    await jobs.keep(job.id, pictures).catch((error: unknown) => {
      log.error({ err: error, job: job.id }, 'the pictures of a job that waits could not be kept');
    });
  }

  /** What an earlier run has developed. */
  async function recover(): Promise<(Picture | undefined)[]> {
    const kept = job.state === 'waiting' ? await jobs.kept(job.id) : undefined;
    return kept ?? Promise.all(job.tasks.map((_, index) => download(index)));
  }

  const ended = (before: Job): Job => ({ ...before, state: 'delivering', endedAt: clock.now() });

  if (job.state === 'asked') {
    const restarted = (task: JobTask) => failed(task, { kind: 'restarted' });
    await row.note((asked) => ended({ ...asked, tasks: asked.tasks.map(restarted) }));
  }
  const developed = job.state === 'developing' ? await develop() : await recover();
  const pictures = developed.filter((picture) => picture !== undefined);
  const outcome = await delivery.deliver(row.current(), pictures, stopping);
  if (outcome.state === 'waiting') {
    if (job.state !== 'waiting') await keep(pictures);
    await row.note((undelivered) => ({ ...undelivered, state: 'waiting', unsure: outcome.unsure }));
    log.info({ job: job.id, unsure: outcome.unsure }, 'the outcome waits for its member');
    return row.current();
  }
  await row.note((delivered) => settled(delivered, outcome));
  return row.current();
}

/** `job` once its outcome stands where its member sees it. */
export function settled(
  { secrets: _spent, unsure: _sure, ...job }: Job,
  { channelId, messageId }: Place,
): Job {
  const state = job.tasks.some((task) => task.state === 'completed') ? 'delivered' : 'failed';
  return { ...job, state, posted: { channelId, messageId } };
}
