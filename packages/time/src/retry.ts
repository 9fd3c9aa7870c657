import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

/**
 * Which failures are retried, how often and for how long. Without bounds it goes on until it succeeds or is aborted.
 */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  maxAttempts?: number;
  /** No wait ends later than this after the first attempt began, in milliseconds. */
  budgetMs?: number;
  /**
   * What becomes of a wait that the budget does not cover. `false`, the default: it is not begun. `true`: it is cut
   * short, and one last attempt is made when the budget ends. It follows on the usual wait where the attempt before it
   * ran past that end, as one does while the machine sleeps.
   */
  lastAttemptAtEnd?: boolean;
  /** The longest first wait, in milliseconds; see `backoffMs`. */
  firstMs?: number;
  /** The longest wait that is not asked for, in milliseconds; see `backoffMs`. */
  maxMs?: number;
  /** Whether another attempt is safe and can help; every error unless given. */
  isRetryable?: (error: unknown) => boolean;
  /** Milliseconds that the other side asked to wait (`Retry-After`), where it did. */
  retryAfterMs?: (error: unknown) => number | undefined;
}

export interface RetryOptions {
  policy: RetryPolicy;
  clock: Clock;
  /** Draws from [0, 1): the jitter of the waits; `Math.random` unless given. */
  random?: (() => number) | undefined;
  /** Ends the waits; an attempt that is under way has to see to itself. */
  signal?: AbortSignal | undefined;
  /** Hears of every failure after which another attempt follows, before the wait of `waitMs`; `count` from 1. */
  onRetry?: (error: unknown, waitMs: number, count: number) => void;
}

/**
 * Makes `attempt` until it succeeds. Rejects with its last error where the policy gives up, or with the reason of
 * `signal` where that aborts a wait. `attempt` gets its number, from 1.
 *
 * Why no library: docs/decisions/kit.md.
 */
export async function retry<Result>(
  attempt: (count: number) => Promise<Result>,
  { policy, clock, random, signal, onRetry }: RetryOptions,
): Promise<Result> {
  const {
    maxAttempts = Number.POSITIVE_INFINITY,
    budgetMs = Number.POSITIVE_INFINITY,
    lastAttemptAtEnd = false,
    firstMs,
    maxMs,
    isRetryable = () => true,
    retryAfterMs = () => undefined,
  } = policy;
  const { now } = steadyClock(clock);
  const endsAt = now() + budgetMs;

  /** Milliseconds to wait after attempt number `count`, which began at `begunAt`; undefined: give up. */
  function waitMsAfter(error: unknown, count: number, begunAt: number): number | undefined {
    if (count >= maxAttempts || !isRetryable(error)) return undefined;
    const usual = { attempt: count, random, firstMs, maxMs };
    const waitMs = backoffMs({ ...usual, retryAfterMs: retryAfterMs(error) });
    const leftMs = endsAt - now();
    if (waitMs <= leftMs) return waitMs;
    if (!lastAttemptAtEnd || begunAt >= endsAt) return undefined;
    return leftMs > 0 ? leftMs : backoffMs(usual);
  }

  for (let count = 1; ; count += 1) {
    const begunAt = now();
    try {
      return await attempt(count);
    } catch (error) {
      const waitMs = waitMsAfter(error, count, begunAt);
      if (waitMs === undefined) throw error;
      signal?.throwIfAborted();
      onRetry?.(error, waitMs, count);
      await clock.sleep(waitMs, signal).catch((reason: unknown) => {
        signal?.throwIfAborted();
        throw reason;
      });
    }
  }
}
