import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';

/** When a call is made again. A budget of time, not a number of attempts, is what a waiting person feels. */
export interface RetryPolicy {
  /** No wait ends later than this after the first attempt began, in milliseconds. */
  budgetMs: number;
  /** The longest first wait; it doubles from attempt to attempt up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** Whether another attempt is safe and can help. */
  again: (error: ServiceError) => boolean;
}

/** For what changes nothing at the service: whatever may pass is tried again. */
export const READING: RetryPolicy = {
  budgetMs: 15_000,
  firstMs: 500,
  maxMs: 4_000,
  again: (error) => error.retryable,
};

/** For pictures: longer, so that after an attempt that hung in silence there is still time for another. */
export const FETCHING: RetryPolicy = { ...READING, budgetMs: 45_000 };

/** For what costs credits or changes keys: only where it is certain that nothing happened. */
export const CHANGING: RetryPolicy = {
  budgetMs: 20_000,
  firstMs: 1_000,
  maxMs: 5_000,
  again: (error) => error.retryable && !error.unclear,
};

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1), never less than `Retry-After`. Undefined: give up.
 * `random` draws from [0, 1).
 */
export function waitBeforeRetry(
  error: ServiceError,
  {
    attempt,
    elapsedMs,
    policy,
    random,
  }: { attempt: number; elapsedMs: number; policy: RetryPolicy; random: () => number },
): number | undefined {
  if (!policy.again(error)) return undefined;
  const { firstMs, maxMs } = policy;
  const waitMs = Math.round(backoffMs({ attempt, random, askedMs: error.retryAfterMs, firstMs, maxMs }));
  return elapsedMs + waitMs <= policy.budgetMs ? waitMs : undefined;
}

/** Makes `attempt` until it succeeds, the policy gives up (rejects with the last error), or `signal` aborts. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  {
    policy,
    clock,
    random,
    signal,
  }: RetryDependencies & { policy: RetryPolicy; signal?: AbortSignal | undefined },
): Promise<Result> {
  const startedAt = clock.now();
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const elapsedMs = clock.now() - startedAt;
      const waitMs = waitBeforeRetry(error, { attempt: count, elapsedMs, policy, random });
      if (waitMs === undefined) throw error;
      await clock.sleep(waitMs, signal).catch((reason: unknown) => {
        signal?.throwIfAborted();
        throw reason;
      });
    }
  }
}

export interface RetryDependencies {
  clock: Clock;
  /** Draws from [0, 1). */
  random: () => number;
}
