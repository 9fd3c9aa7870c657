/** Waits of a caller who has time, in milliseconds: a second at first, half a minute at most. */
const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/**
 * Whole milliseconds to wait after failed attempt number `attempt` (from 1): exponential backoff with equal jitter.
 * It doubles from `firstMs` up to `maxMs`, its upper half is random, and it is no less than `retryAfterMs`, which the
 * other side asked for. `random` draws from [0, 1).
 */
export function backoffMs({
  attempt,
  random = Math.random,
  retryAfterMs = 0,
  firstMs = FIRST_MS,
  maxMs = MAX_MS,
}: {
  attempt: number;
  random?: (() => number) | undefined;
  retryAfterMs?: number | undefined;
  firstMs?: number | undefined;
  maxMs?: number | undefined;
}): number {
  const half = Math.min(maxMs, firstMs * 2 ** (attempt - 1)) / 2;
  return Math.round(Math.max(retryAfterMs, half) + random() * half);
}
