import type { ImageClient } from '../client/client.ts';
import type { Delivery, Outcome, Picture, Place, TaskProgress } from './delivery.ts';
import type { Job, JobTask } from './job.ts';
import { createJobRow, withTask } from './job-row.ts';
import type { JobStore } from './job-store.ts';
import { persevere } from './persevere.ts';
import { downloadPicture } from './picture-download.ts';
import { failed, runTask, type TaskRun, type TaskRunDependencies } from './task-run.ts';

export interface RunDependencies extends TaskRunDependencies {
  jobs: JobStore;
  images: Pick<ImageClient, 'submit' | 'cancel' | 'download'>;
  delivery: Delivery;
}

/**
 * How long an outcome is held back while its row cannot say that it is about to be sent: longer than a backup locks a
 * store, and no longer, since a store that stays broken must not keep a picture from its member. The next process looks
 * for what was sent anyway.
 */
const UNWRITTEN_MS = 30_000;

/** How long a finished outcome waits to be told whether an earlier attempt has arrived, before it is put aside. */
const UNANSWERED_MS = 10 * 60_000;

export interface Run extends Pick<TaskRun, 'stopping' | 'hangUp' | 'cancelled'> {
  /** An earlier run, of this process or of one before it, may have sent the outcome: it is looked for before anything is shown. */
  resumed: boolean;
}

/**
 * Takes `job` from wherever its row says it is to its end, and resolves with it; every transition is written before the
 * next step. Rejects with the reason of `stopping`: then the row tells the next process where to go on.
 */
export async function runJob(
  job: Job,
  deps: RunDependencies,
  { stopping, hangUp, cancelled, resumed }: Run,
): Promise<Job> {
  const { jobs, delivery, clock, log, random } = deps;
  const superseded = new AbortController();
  const lookedFor = new AbortController();
  const ending = AbortSignal.any([stopping, superseded.signal]);
  let mayShow = !resumed;
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
    show();
  }

  /** A step that the next process must know of. */
  const write = (change: (job: Job) => Job, patienceMs?: number) =>
    untilWritten(() => row.commit(change), patienceMs);

  async function untilWritten(attempt: () => Promise<void>, patienceMs = Number.POSITIVE_INFINITY) {
    const giveUpAt = clock.now() + patienceMs;
    await persevere(attempt, {
      signal: stopping,
      clock,
      random,
      isPatient: () => clock.now() < giveUpAt,
      onFailure: (error) => log.error({ err: error, job: job.id }, 'the end of a job could not be written'),
    });
  }

  function show(): void {
    if (mayShow) delivery.show(row.current(), progress);
  }

  /** The picture of a task that is completed; the task fails where there is none to be had. */
  async function download(index: number): Promise<Picture | undefined> {
    const task = row.current().tasks[index];
    if (task?.state !== 'completed') return undefined;
    const onTrouble = (trouble: TaskProgress['trouble']) => observe(index, { trouble });
    const got = await downloadPicture(job, index, task, ending, onTrouble, deps);
    if ('bytes' in got) return got;
    await row.note(withTask(index, failed(task, got)));
    return undefined;
  }

  /**
   * Nothing may be paid for once its member was told how it ended. What is cancelled or late is waited for no longer: it
   * is not submitted in any case.
   */
  async function untilLookedFor(): Promise<void> {
    const awake = AbortSignal.any([ending, cancelled, lookedFor.signal]);
    while (!awake.aborted && clock.now() < job.deadlineAt) {
      await clock.sleep(job.deadlineAt - clock.now(), awake).catch(() => undefined);
    }
    ending.throwIfAborted();
  }

  /** Each picture is fetched as soon as its task is completed: its address may not live until the others are. */
  async function develop(): Promise<(Picture | undefined)[]> {
    show();
    // All of them: a submission that has left is waited for, also where another task has stopped already.
    const runs = await Promise.allSettled(
      job.tasks.map(async ({ state }, index) => {
        if (state === 'planned' || state === 'submitting') await untilLookedFor();
        const observing = (seen: Partial<TaskProgress>) => observe(index, seen);
        await runTask(row, index, { apiKey, observe: observing, stopping: ending, hangUp, cancelled }, deps);
        return download(index);
      }),
    );
    const pictures = runs.map((run) => {
      if (run.status === 'rejected') throw run.reason;
      return run.value;
    });
    await write(ended, UNWRITTEN_MS);
    return pictures;
  }

  /** What an earlier run has developed. */
  async function recover(): Promise<(Picture | undefined)[]> {
    const kept = job.state === 'waiting' ? await jobs.kept(job.id) : undefined;
    return kept ?? Promise.all(job.tasks.map((_, index) => download(index)));
  }

  const ended = (before: Job): Job => ({ ...before, state: 'delivering', endedAt: clock.now() });

  async function prepare(): Promise<Picture[]> {
    if (job.state === 'asked') {
      const restarted = (task: JobTask) => failed(task, { kind: 'restarted' });
      await write((asked) => ended({ ...asked, tasks: asked.tasks.map(restarted) }), UNWRITTEN_MS);
    }
    const developed = job.state === 'developing' ? await develop() : await recover();
    return developed.filter((picture) => picture !== undefined);
  }

  /** Where an earlier run has put the outcome; undefined where Discord does not say for too long. */
  async function search() {
    const found = await persevere(() => delivery.find(job, stopping), {
      signal: stopping,
      clock,
      random,
      isPatient: () => clock.now() < giveUpSearchAt,
      onFailure: (error) => log.warn({ err: error, job: job.id }, 'an outcome could not be looked for'),
    }).catch(() => undefined);
    if (typeof found === 'object') superseded.abort();
    lookedFor.abort();
    return found;
  }

  let giveUpSearchAt = Number.POSITIVE_INFINITY;
  if (!resumed) lookedFor.abort();
  const searched = resumed ? search() : Promise.resolve('nowhere' as const);
  const prepared = prepare().finally(() => {
    giveUpSearchAt = clock.now() + UNANSWERED_MS;
  });
  prepared.catch(() => undefined);
  const found = await searched;
  if (typeof found === 'object') {
    await Promise.allSettled([prepared]);
    // What became of its tasks since then is not what its member was shown.
    await write(() => settled(job, found));
    log.info({ job: job.id }, 'the outcome had arrived already');
    return row.current();
  }
  // What was being sent may stand where nobody can look; what only developed hardly does, whatever its row could not say.
  const begun = job.state === 'delivering' || job.state === 'waiting';
  const maySend = found === 'nowhere' || (found === 'unknown' && !begun);
  mayShow = maySend;
  if (resumed && job.state === 'developing') show();
  const pictures = await prepared;
  stopping.throwIfAborted();

  const notePosted = (place: Place) => row.note((delivering) => ({ ...delivering, posted: place }));
  const outcome: Outcome = maySend
    ? await delivery.deliver(row.current(), pictures, stopping, notePosted)
    : { state: 'waiting', unsure: true, unseen: found === 'unknown' };
  if (outcome.state === 'delivered') {
    await write((delivered) => settled(delivered, outcome));
    return row.current();
  }
  // Without its bytes a picture that waits is fetched once more when it is asked for.
  if (job.state !== 'waiting') await untilWritten(() => jobs.keep(job.id, pictures), UNWRITTEN_MS);
  const { unsure, unseen } = outcome;
  await write((undelivered) => ({ ...undelivered, state: 'waiting', unsure, unseen }));
  log.info({ job: job.id, unsure, unseen }, 'the outcome waits for its member');
  return row.current();
}

/** `job` once its outcome stands where its member sees it. */
export function settled(
  { secrets: _spent, unsure: _sure, unseen: _seen, ...job }: Job,
  { channelId, messageId }: Place,
): Job {
  const came = job.tasks.some(({ state }) => state === 'completed' || state === 'following');
  const state = came ? 'delivered' : 'failed';
  return { ...job, state, posted: { channelId, messageId } };
}
