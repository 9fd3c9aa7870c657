import { backoffMs } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { unlessAborted } from '../../deadline.ts';
import type { Place, Whereabouts } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import type { Log } from '../../log.ts';
import type { Message } from '../message.ts';
import type { Draft } from './draft.ts';
import { askedToWaitMs, mayHaveArrived, verdictOn } from './verdict.ts';
import type { Way } from './ways.ts';

/** How long Discord may fail by itself (5xx, no connection, 429) before an outcome is put aside. */
const PATIENCE_MS = 10 * 60_000;

/** For one attempt, uploads included; and for one without files. */
const ATTEMPT_MS = 45_000;
const WORDS_MS = 15_000;

/** Sends a message by one way until it works, or is refused, or patience ends. Every attempt is bounded in time. */
export interface Insistence {
  /** Once. Rejects as the way does. */
  attempt(way: Way, message: Message, signal?: AbortSignal): Promise<Place>;
  /** Looks once for the outcome. Rejects as the way does. */
  look(way: Pick<Way, 'find'>, signal: AbortSignal): Promise<Whereabouts>;
  /**
   * Where the message stands; or why it does not:
   * - `refused`, `channel-closed` the way or the channel is closed, and no attempt has arrived
   * - `unsure` Discord failed for too long, and nobody knows whether an attempt arrived
   * - `unseen` the way was closed after an attempt that may have arrived, and nobody can look
   *
   * Rejects with the signal's reason, or as the draft does.
   */
  insist(
    way: Way,
    draft: Draft,
    job: Job,
    signal: AbortSignal,
    patienceMs?: number,
  ): Promise<Place | 'refused' | 'channel-closed' | 'unsure' | 'unseen'>;
}

export function createInsistence({
  clock,
  log,
  random,
}: {
  clock: Clock;
  log: Log;
  /** In [0, 1): the jitter of waits. */
  random: () => number;
}): Insistence {
  async function bounded<Result>(
    bound: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const bounds = new AbortController();
    signal?.addEventListener('abort', () => bounds.abort(signal.reason), { signal: ended.signal });
    clock.sleep(bound, ended.signal).then(
      () => bounds.abort(new Error(`Discord did not answer within ${bound} ms`)),
      () => undefined,
    );
    try {
      // Not by the signal alone: discord.js does not look at it everywhere.
      return await unlessAborted(bounds.signal, work(bounds.signal));
    } finally {
      ended.abort();
    }
  }

  const attempt = (way: Way, message: Message, signal?: AbortSignal) =>
    bounded(message.files?.length ? ATTEMPT_MS : WORDS_MS, signal, (within) => way.send(message, within));

  const look = (way: Pick<Way, 'find'>, signal: AbortSignal) =>
    bounded(WORDS_MS, signal, (within) => way.find(within));

  return {
    attempt,
    look,

    async insist(way, draft, job, signal, patienceMs = PATIENCE_MS) {
      const giveUpAt = clock.now() + patienceMs;
      let failures = 0;
      let maybeArrived = false;
      for (;;) {
        const message = await draft.message();
        let failure: unknown;
        try {
          return await attempt(way, message, signal);
        } catch (error) {
          signal.throwIfAborted();
          log.warn({ err: error, job: job.id, way: way.name }, 'a way to the member failed');
          failure = error;
        }
        const verdict = verdictOn(failure);
        if (verdict === 'too-large' && draft.shrink()) continue;
        if (verdict === 'passing') maybeArrived ||= mayHaveArrived(failure);
        else {
          const closed = verdict === 'channel-closed' ? verdict : 'refused';
          if (!maybeArrived) return closed;
          try {
            const found = await look(way, signal);
            if (found === 'nowhere') return closed;
            return found === 'unknown' ? 'unseen' : found;
          } catch (error) {
            signal.throwIfAborted();
            log.warn({ err: error, job: job.id, way: way.name }, 'an outcome could not be looked for');
            failure = error;
          }
        }
        if (clock.now() >= giveUpAt) return 'unsure';
        failures += 1;
        await clock.sleep(backoffMs({ attempt: failures, random, askedMs: askedToWaitMs(failure) }), signal);
      }
    },
  };
}
