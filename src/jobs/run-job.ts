import { type Clock, retry, type Semaphore, withTimeout } from '@darkroom/time';
import { deliverOutcome, writeDelivered, writeWaiting } from './deliver.ts';
import type { FindResult } from './delivery-port.ts';
import { generate } from './generate.ts';
import { hasDeliveryBegun, isCancelled, type Job, LATE_EDIT_MS } from './job.ts';
import type { Run } from './run.ts';

/**
 * Takes the job of a run from wherever its row says it is to its end, and resolves with it; every transition is
 * written before the next step. Rejects with the reason of `stopping`: then the row tells the next run where to go
 * on.
 */
export async function runJob(run: Run): Promise<Job> {
  const pictures = await generate(run);
  run.signals.stopping.throwIfAborted();
  return deliverOutcome(run, pictures);
}

/**
 * The longest wait between two looks for an earlier delivery: once Discord is back, the outcome is sent within ten
 * seconds.
 */
const LONGEST_WAIT_MS = 5_000;

/** How long a finished outcome waits to be told whether an earlier attempt has arrived, before it is put aside. */
const UNANSWERED_MS = 10 * 60_000;

/**
 * As `runJob`, where an earlier run, of this process or of one before it, may have delivered the outcome already.
 * That is found out before anything is shown, submitted or sent; tasks that are paid for are followed meanwhile.
 * `run` holds its progress back. `searches`: lets only so many look for an earlier delivery at once.
 */
export async function resumeJob(run: Run, searches: Semaphore): Promise<Job> {
  const { delivery, clock, log } = run.deps;
  const before = run.job();
  const search = beginSearch(run, searches);
  const { stopping, cancelled } = run.signals;
  const untilFound = AbortSignal.any([stopping, search.found]);
  const generating = generate({ ...run, signals: { ...run.signals, stopping: untilFound } }, async () => {
    await search.waitUntil(before.deadlineAt, AbortSignal.any([untilFound, cancelled]));
    untilFound.throwIfAborted();
  });
  const earlier = await search.resultOnceSettled(generating);

  if (earlier.state === 'found') {
    await Promise.allSettled([generating]);
    log.info({ job: run.id }, 'the outcome had arrived already');
    // What became of its tasks since then is not what its member was shown.
    const over = await writeDelivered(run, before, earlier.message);
    if (before.state !== 'waiting') delivery.tellReady(over, clock.now());
    return over;
  }
  // If delivery had begun, the message may exist where we cannot read it; otherwise it almost certainly does not.
  const maySend = earlier.state === 'absent' || (earlier.state === 'unknown' && !hasDeliveryBegun(before));
  if (maySend) run.showProgress();
  const pictures = await generating;
  stopping.throwIfAborted();
  // To delete a reply twice does no harm.
  if (maySend || isCancelled(run.job())) return deliverOutcome(run, pictures);
  return writeWaiting(run, pictures, earlier.state === 'unknown' ? 'unverifiable' : 'unconfirmed');
}

/**
 * Looks for an earlier delivery until Discord answers, while the pictures are generated: in its turn, or as soon as
 * somebody waits for the result. A start with thousands of jobs would otherwise ask Discord of all of them at once.
 */
function beginSearch(run: Run, searches: Semaphore) {
  const { delivery, clock, log } = run.deps;
  const { stopping } = run.signals;
  const found = new AbortController();
  const givenUp = new AbortController();
  const ended = AbortSignal.any([stopping, givenUp.signal]);
  let hurry = () => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  const begun = run.job();
  const search = () =>
    retry(() => delivery.find(begun, ended), {
      policy: { maxMs: LONGEST_WAIT_MS },
      clock,
      signal: ended,
      onRetry: (error) => log.warn({ err: error, job: run.id }, 'an outcome could not be looked for'),
    });
  const result = untilNothingComesLate(begun, clock, ended)
    .then(() => searches.hold(1, search, { hurried, signal: ended }))
    .then((earlier) => {
      if (earlier.state === 'found') found.abort();
      return earlier;
    });
  return {
    /** Aborts where there has been one: nothing needs to be generated any more. */
    found: found.signal,

    /** Resolves when the search is finished, at `deadlineAt`, or when `signal` aborts. */
    async waitUntil(deadlineAt: number, signal: AbortSignal): Promise<void> {
      hurry();
      const leftMs = Math.max(0, deadlineAt - clock.now());
      await withTimeout(leftMs, () => result, { signal, clock }).catch(() => undefined);
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

/** Until then what an earlier run has given up could take the place of an outcome that is found, or sent. */
async function untilNothingComesLate({ reply }: Job, clock: Clock, signal: AbortSignal): Promise<void> {
  const lateMs = Math.min((reply.lateUntil ?? 0) - clock.now(), LATE_EDIT_MS);
  if (lateMs > 0) await clock.sleep(lateMs, signal);
}
