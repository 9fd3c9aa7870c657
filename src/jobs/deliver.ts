import type { FinishedPicture } from './delivery-port.ts';
import { isCancelled, isOver, type Job, type MessageLocation, type WaitReason } from './job.ts';
import { mayHaveCome } from './job-task.ts';
import { type Run, retryWrite, UNWRITTEN_MS } from './run.ts';

/**
 * The last step of a run: brings what came out to the member, and removes the reply of what was cancelled. That a
 * moderator cancelled it is told by the run that has written the end, and by no other: Discord does not say
 * afterwards whether it was told, and `/jobs` says it in any case.
 */
export async function deliverOutcome(run: Run, pictures: readonly FinishedPicture[]): Promise<Job> {
  const job = run.job();
  const over = await (isCancelled(job) ? withdrawReply(run) : postOutcome(run, pictures));
  // Not before the reply is removed: a message after a deferred reply takes its place, and everybody reads it.
  if (job.moderated && isOver(over)) await run.deps.delivery.tellCancelled(job, run.signals.stopping);
  return over;
}

/** Resolves with the job, over or waiting for its member. Rejects with the reason of `stopping`. */
async function postOutcome(run: Run, pictures: readonly FinishedPicture[]): Promise<Job> {
  const { delivery } = run.deps;
  const job = run.job();
  const result = await delivery.deliver(job, pictures, run.signals.stopping, {
    // A process that finds no end written looks for the outcome in the reply alone: nothing is posted elsewhere
    // before.
    beforePosting: () => retryWrite(run, 'the row of a job', () => run.write((before) => before)),
    onPosted: (posted) => run.tryWrite((before) => ({ ...before, posted })),
  });
  if (result.state === 'waiting') return writeWaiting(run, pictures, result.reason);
  const wasWaiting = job.state === 'waiting';
  if (!wasWaiting) tellHowLongItTook(run, result.shownAt);
  const over = await writeDelivered(run, run.job(), result.message);
  if (!wasWaiting) delivery.tellReady(over, result.shownAt);
  return over;
}

/** Of what was cancelled before there was a picture nothing stays. */
async function withdrawReply(run: Run): Promise<Job> {
  const { delivery, pictures } = run.deps;
  const job = run.job();
  const result = await delivery.withdraw(job, run.signals.stopping);
  if (result === 'unconfirmed') return writeWaiting(run, [], result);
  const { secrets: _spent, reply, ...kept } = job;
  const over: Job = { ...kept, state: 'cancelled', reply: { tokenExpiresAt: reply.tokenExpiresAt } };
  await run.writeEnd(over);
  await pictures.spool.remove(run.id);
  return over;
}

function tellHowLongItTook({ job, deps: { events } }: Run, shownAt: number): void {
  const completedAt = job().tasks.flatMap((task) => (task.state === 'completed' ? [task.completedAt] : []));
  if (completedAt.length > 0) events.delivered(shownAt - Math.max(...completedAt));
}

export async function writeDelivered(run: Run, job: Job, message: MessageLocation): Promise<Job> {
  const over = markDelivered(job, message);
  await run.writeEnd(over);
  await run.deps.pictures.spool.remove(run.id);
  return over;
}

export async function writeWaiting(
  run: Run,
  pictures: readonly FinishedPicture[],
  waitReason: WaitReason,
): Promise<Job> {
  const { jobs, pictures: onTheirWay, log } = run.deps;
  const { spool, memory } = onTheirWay;
  const { stopping } = run.signals;

  async function savePictures(): Promise<void> {
    await jobs.savePictures(run.job(), await Promise.all(pictures.map((picture) => picture.read(stopping))));
    await spool.remove(run.id);
  }

  if (pictures.every(({ saved }) => saved)) await spool.remove(run.id);
  else {
    // Without its bytes a picture that waits is downloaded once more when it is asked for.
    const save = () => memory.hold(sizeOf(pictures), savePictures, { signal: stopping });
    await retryWrite(run, 'the pictures of a job', save, { budgetMs: UNWRITTEN_MS });
  }
  const waiting: Job = { ...run.job(), state: 'waiting', waitReason, savedBytes: sizeOf(pictures) };
  await run.writeEnd(waiting);
  log.info({ job: run.id, waitReason }, 'the outcome waits for its member');
  return waiting;
}

const sizeOf = (pictures: readonly FinishedPicture[]): number =>
  pictures.reduce((sum, { size }) => sum + size, 0);

/** `job` once its outcome stands where its member sees it. */
export function markDelivered({ secrets: _spent, ...job }: Job, posted: MessageLocation): Job {
  const came = job.tasks.some(mayHaveCome);
  return { ...job, state: came ? 'delivered' : isCancelled(job) ? 'cancelled' : 'failed', posted };
}
