import type { Clock } from '../../clock.ts';
import { unlessAborted } from '../../deadline.ts';
import type { Place } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';
import type { Log } from '../../log.ts';
import type { Message } from '../message.ts';
import type { Draft } from './draft.ts';
import { askedToWaitMs, type Verdict, verdictOn } from './verdict.ts';
import type { Way } from './ways.ts';

/** How long Discord may fail by itself (5xx, no connection, 429) before an outcome is put aside. */
const PATIENCE_MS = 10 * 60_000;

/** For one attempt, uploads included; and for one without files. */
const ATTEMPT_MS = 45_000;
const WORDS_MS = 15_000;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Sends a message by one way until it works, or is refused, or patience ends. */
export interface Insistence {
  /** Once, bounded in time. Rejects as the way does. */
  attempt(way: Way, message: Message, signal?: AbortSignal): Promise<Place>;
  /**
   * Where the message stands; or why it does not: the way or the channel is closed, or it is `unsure`, because Discord
   * failed for too long and nobody knows whether the last attempt arrived. Rejects with the signal's reason, or as the
   * draft does.
   */
  insist(
    way: Way,
    draft: Draft,
    job: Job,
    signal: AbortSignal,
  ): Promise<Place | 'refused' | 'channel-closed' | 'unsure'>;
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
  async function attempt(way: Way, message: Message, signal?: AbortSignal): Promise<Place> {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const bounds = new AbortController();
    const bound = message.files?.length ? ATTEMPT_MS : WORDS_MS;
    signal?.addEventListener('abort', () => bounds.abort(signal.reason), { signal: ended.signal });
    clock.sleep(bound, ended.signal).then(
      () => bounds.abort(new Error(`Discord did not answer within ${bound} ms`)),
      () => undefined,
    );
    try {
      // Not by the signal alone: discord.js does not look at it everywhere.
      return await unlessAborted(bounds.signal, way.send(message, bounds.signal));
    } finally {
      ended.abort();
    }
  }

  return {
    attempt,

    async insist(way, draft, job, signal) {
      const giveUpAt = clock.now() + PATIENCE_MS;
      let wait = FIRST_WAIT_MS;
      for (;;) {
        const message = await draft.message();
        let verdict: Verdict;
        let asked: number;
        try {
          return await attempt(way, message, signal);
        } catch (error) {
          signal.throwIfAborted();
          log.warn({ err: error, job: job.id, way: way.name }, 'a way to the member failed');
          verdict = verdictOn(error);
          asked = askedToWaitMs(error);
        }
        if (verdict === 'too-large') {
          if (!draft.shrink()) return 'refused';
          continue;
        }
        if (verdict !== 'passing') return verdict;
        if (clock.now() >= giveUpAt) {
          log.error({ job: job.id }, 'Discord failed for too long; the outcome waits in /jobs');
          return 'unsure';
        }
        await clock.sleep(Math.max(asked, wait / 2) + (random() * wait) / 2, signal);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    },
  };
}
