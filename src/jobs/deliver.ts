import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { Metrics } from '../observability/metrics.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Delivery, FinishedPicture } from './delivery-port.ts';
import { UNWRITTEN_MS } from './generate.ts';
import { isCancelled, type Job, type MessageLocation, type WaitReason } from './job.ts';
import type { JobStore } from './job-store.ts';
import { createJobWriter, retryWrite } from './job-writer.ts';
import type { PictureSpool } from './picture-spool.ts';

export interface DeliverDependencies {
  jobs: Pick<JobStore, 'save' | 'savePictures'>;
  delivery: Pick<Delivery, 'deliver' | 'withdraw' | 'tellReady'>;
  spool: PictureSpool;
  /** Pictures on their way from the disk to the store. */
  memory: ByteBudget;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'delivered'>;
  /** Draws from [0, 1): the jitter of waits. */
  random: () => number;
}

/**
 * The last phase of a run: delivers the outcome of `job`, whose tasks have all ended. Resolves with the job as it is then:
 * over, or waiting for its member. Rejects with the reason of `signal`.
 */
export async function deliverOutcome(
  job: Job,
  pictures: readonly FinishedPicture[],
  deps: DeliverDependencies,
  signal: AbortSignal,
): Promise<Job> {
  const writer = createJobWriter(job, deps);
  const result = await deps.delivery.deliver(job, pictures, signal, {
    /** A process that finds the end unwritten looks for the outcome in the reply alone, so until it is written that is its only place. */
    beforePosting: () =>
      retryWrite(() => writer.write((before) => before), { jobId: job.id, signal, ...deps }),
    onPosted: (posted) => writer.tryWrite((before) => ({ ...before, posted })),
  });
  if (result.state === 'waiting')
    return writeWaiting(writer.current(), pictures, result.reason, deps, signal);
  tellDelivered(job, deps);
  const over = await writeDelivered(writer.current(), result.message, deps, signal);
  // Whoever has asked for what waited is there.
  if (job.state !== 'waiting') deps.delivery.tellReady(over);
  return over;
}

/** The last phase of a run that was cancelled before there was a picture: nothing stays of its reply. */
export async function withdrawReply(job: Job, deps: DeliverDependencies, signal: AbortSignal): Promise<Job> {
  const { jobs, delivery, spool, clock, random, log } = deps;
  const result = await delivery.withdraw(job, signal);
  if (result === 'unconfirmed') return writeWaiting(job, [], result, deps, signal);
  const { secrets: _spent, reply, ...kept } = job;
  const over: Job = { ...kept, state: 'cancelled', reply: { tokenExpiresAt: reply.tokenExpiresAt } };
  await retryWrite(() => jobs.save(over), { jobId: job.id, signal, clock, random, log });
  await spool.remove(job.id);
  return over;
}

/** How long a job has waited for its member says nothing of the bot. */
function tellDelivered({ state, tasks }: Job, { clock, metrics }: DeliverDependencies): void {
  const completedAt = tasks.flatMap((task) => (task.state === 'completed' ? [task.completedAt] : []));
  if (state !== 'waiting' && completedAt.length > 0)
    metrics.delivered(clock.now() - Math.max(...completedAt));
}

/** Writes that the outcome stands at `message`. The end of a job is written until it is written, or the process stops. */
export async function writeDelivered(
  job: Job,
  message: MessageLocation,
  { jobs, spool, clock, random, log }: DeliverDependencies,
  signal: AbortSignal,
): Promise<Job> {
  const over = markDelivered(job, message);
  await retryWrite(() => jobs.save(over), { jobId: job.id, signal, clock, random, log });
  await spool.remove(job.id);
  return over;
}

/** Writes that the outcome waits for its member, and why. */
export async function writeWaiting(
  job: Job,
  pictures: readonly FinishedPicture[],
  waitReason: WaitReason,
  { jobs, spool, memory, clock, random, log }: DeliverDependencies,
  signal: AbortSignal,
): Promise<Job> {
  const options = { jobId: job.id, signal, clock, random, log };

  async function savePictures(): Promise<void> {
    await jobs.savePictures(job.id, await Promise.all(pictures.map((picture) => picture.read(signal))));
    await spool.remove(job.id);
  }

  if (pictures.every(({ saved }) => saved)) await spool.remove(job.id);
  else {
    // Without its bytes a picture that waits is downloaded once more when it is asked for.
    await retryWrite(() => memory.hold(sizeOf(pictures), savePictures, signal), {
      ...options,
      budgetMs: UNWRITTEN_MS,
    });
  }
  const waiting: Job = { ...job, state: 'waiting', waitReason };
  await retryWrite(() => jobs.save(waiting), options);
  log.info({ job: job.id, waitReason }, 'the outcome waits for its member');
  return waiting;
}

const sizeOf = (pictures: readonly FinishedPicture[]): number =>
  pictures.reduce((sum, { size }) => sum + size, 0);

/** `job` once its outcome stands where its member sees it. */
export function markDelivered({ secrets: _spent, ...job }: Job, posted: MessageLocation): Job {
  const came = job.tasks.some(({ state }) => state === 'completed' || state === 'following');
  return { ...job, state: came ? 'delivered' : isCancelled(job) ? 'cancelled' : 'failed', posted };
}
