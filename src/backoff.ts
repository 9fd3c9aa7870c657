/** Waits of somebody who has time, in milliseconds: a second at first, half a minute at most. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1): doubling from `firstMs` up to `maxMs`, the upper
 * half random, and no less than `askedMs`, which the other side asked for. `random` draws from [0, 1).
 */
export function backoffMs({
  attempt,
  random,
  askedMs = 0,
  firstMs = FIRST_MS,
  maxMs = LONGEST_MS,
}: {
  attempt: number;
  random: () => number;
  askedMs?: number | undefined;
  firstMs?: number;
  maxMs?: number;
}): number {
  const half = Math.min(maxMs, firstMs * 2 ** (attempt - 1)) / 2;
  return Math.max(askedMs, half) + random() * half;
}
