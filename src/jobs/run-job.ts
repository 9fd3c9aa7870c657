import { retry, withTimeout } from '@darkroom/time';
import type { Metrics } from '../observability/metrics.ts';
import {
  type DeliverDependencies,
  deliverOutcome,
  withdrawReply,
  writeDelivered,
  writeWaiting,
} from './deliver.ts';
import type { Delivery, FindResult, FinishedPicture } from './delivery-port.ts';
import { type GenerateDependencies, generate } from './generate.ts';
import { hasDeliveryBegun, isCancelled, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Turns } from './turns.ts';

export interface RunDependencies extends GenerateDependencies, Omit<DeliverDependencies, 'delivery'> {
  jobs: JobStore;
  delivery: Delivery;
  metrics: Pick<Metrics, 'delivered' | 'jobEnded'>;
}

export interface ResumeDependencies extends RunDependencies {
  /** Of the searches for what an earlier run has delivered. */
  searches: Turns;
}

interface RunSignals {
  /** The process is stopping: what is not over stays in the row for the next one. */
  stopping: AbortSignal;
  /** The process has been stopping for so long that submissions are no longer waited for. */
  forceAbort: AbortSignal;
  /** Nobody wants the job any more; its reason says who has cancelled it. */
  cancelled: AbortSignal;
}

/** The longest wait between two looks for an earlier delivery, after which the outcome has still to be sent within ten seconds. */
const LONGEST_WAIT_MS = 5_000;

/** How long a finished outcome waits to be told whether an earlier attempt has arrived, before it is put aside. */
const UNANSWERED_MS = 10 * 60_000;

/**
 * Takes `job` from wherever its row says it is to its end, and resolves with it; every transition is written before the
 * next step. Rejects with the reason of `stopping`: then the row tells the next process where to go on.
 */
export async function runJob(
  job: Job,
  deps: RunDependencies,
  { stopping, forceAbort, cancelled }: RunSignals,
): Promise<Job> {
  const options = { signal: stopping, forceAbort, cancelled, onProgress: deps.delivery.show };
  const generated = await generate(job, deps, options);
  stopping.throwIfAborted();
  return deliver(job, generated, deps, stopping);
}

/**
 * What came out, to the member; of what was cancelled, nothing stays. That a moderator did it is told by the run that has
 * written it down, and by no other: Discord does not say afterwards whether it was, and `/jobs` says it in any case.
 */
async function deliver(
  before: Job,
  { job, pictures }: { job: Job; pictures: readonly FinishedPicture[] },
  deps: RunDependencies,
  stopping: AbortSignal,
): Promise<Job> {
  if (job.moderated && !before.moderated) await deps.delivery.tellCancelled(job, stopping);
  return isCancelled(job)
    ? withdrawReply(job, deps, stopping)
    : deliverOutcome(job, pictures, deps, stopping);
}

/**
 * As `runJob`, where an earlier run, of this process or of one before it, may have delivered the outcome already. That is
 * found out before anything is shown, submitted or sent; tasks that are paid for are followed meanwhile.
 */
export async function resumeJob(
  job: Job,
  deps: ResumeDependencies,
  { stopping, forceAbort, cancelled }: RunSignals,
): Promise<Job> {
  const { delivery, log } = deps;
  const search = startSearch(job, deps, stopping);
  const signal = AbortSignal.any([stopping, search.found]);
  const progress = createHeldProgress(delivery);
  const generating = generate(job, deps, {
    signal,
    forceAbort,
    cancelled,
    onProgress: progress.show,
    beforeSubmit: async () => {
      await search.waitUntil(job.deadlineAt, AbortSignal.any([signal, cancelled]));
      signal.throwIfAborted();
    },
  });
  const earlier = await search.resultOnceSettled(generating);

  if (earlier.state === 'found') {
    await Promise.allSettled([generating]);
    log.info({ job: job.id }, 'the outcome had arrived already');
    // What became of its tasks since then is not what its member was shown.
    const over = await writeDelivered(job, earlier.message, deps, stopping);
    if (job.state !== 'waiting') delivery.tellReady(over);
    return over;
  }
  // If delivery had begun, the message may exist where we cannot read it; otherwise it almost certainly does not.
  const maySend = earlier.state === 'absent' || (earlier.state === 'unknown' && !hasDeliveryBegun(job));
  if (maySend) progress.release();
  const generated = await generating;
  stopping.throwIfAborted();
  // To delete a reply twice does no harm.
  if (maySend || isCancelled(generated.job)) return deliver(job, generated, deps, stopping);
  const reason = earlier.state === 'unknown' ? 'unverifiable' : 'unconfirmed';
  return writeWaiting(generated.job, generated.pictures, reason, deps, stopping);
}

/** Shows nothing until `release`, then the latest and whatever follows. */
function createHeldProgress({ show }: Pick<Delivery, 'show'>) {
  let released = false;
  let latest: Parameters<Delivery['show']> | undefined;
  return {
    show(...progress: Parameters<Delivery['show']>): void {
      latest = progress;
      if (released) show(...progress);
    },
    release(): void {
      released = true;
      if (latest) show(...latest);
    },
  };
}

/**
 * Looks for an earlier delivery while the pictures are generated: in its turn, or as soon as somebody waits for the result. A
 * start with thousands of jobs would otherwise ask Discord of all of them at once.
 */
function startSearch(job: Job, deps: ResumeDependencies, stopping: AbortSignal) {
  const { clock, searches } = deps;
  const found = new AbortController();
  const finished = new AbortController();
  const givenUp = new AbortController();
  const ended = AbortSignal.any([stopping, givenUp.signal]);
  let hurry = () => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
    ended.addEventListener('abort', () => resolve(), { once: true });
  });
  const search = () => findEarlierDelivery(job, deps, ended);
  const result = searches.run(search, hurried).then((earlier) => {
    if (earlier.state === 'found') found.abort();
    finished.abort();
    return earlier;
  });
  return {
    /** Aborts where there has been one: nothing needs to be generated any more. */
    found: found.signal,

    /** Resolves when the search is finished, at `deadlineAt`, or when `signal` aborts. */
    async waitUntil(deadlineAt: number, signal: AbortSignal): Promise<void> {
      hurry();
      const awake = AbortSignal.any([signal, finished.signal]);
      while (!awake.aborted && clock.now() < deadlineAt) {
        await clock.sleep(deadlineAt - clock.now(), awake).catch(() => undefined);
      }
    },

    /** The result; once `generating` has settled, it is waited for only so long, and then `unanswered`. */
    async resultOnceSettled(generating: Promise<unknown>): Promise<FindResult | { state: 'unanswered' }> {
      await Promise.race([Promise.allSettled([result]), Promise.allSettled([generating])]);
      hurry();
      return withTimeout(UNANSWERED_MS, () => result, { signal: stopping, clock })
        .catch(() => ({ state: 'unanswered' as const }))
        .finally(() => givenUp.abort());
    },
  };
}

/** Whether an earlier run has delivered the outcome; asked until Discord answers. Rejects with the reason of `signal`. */
export function findEarlierDelivery(
  job: Job,
  { delivery, clock, random, log }: Pick<RunDependencies, 'delivery' | 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<FindResult> {
  return retry(() => delivery.find(job, signal), {
    policy: { maxMs: LONGEST_WAIT_MS },
    clock,
    random,
    signal,
    onRetry: (error) => log.warn({ err: error, job: job.id }, 'an outcome could not be looked for'),
  });
}
