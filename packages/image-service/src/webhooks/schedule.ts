import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from '@darkroom/time';

/** Waits after failed attempts: soon at first, and together about a day. */
const WAITS_MS = [5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];
/** By how much a wait may be longer, so that what failed together is not sent together again. */
const JITTER = 0.2;

/** The longest wait that a receiver may ask for. */
const MAX_ASKED_MS = 8 * HOUR;

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1), or longer where the receiver asked for
 * `askedMs`; undefined: give up. `random` draws from [0, 1).
 */
export function waitMs(attempt: number, random: () => number, askedMs = 0): number | undefined {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return undefined;
  return Math.round(Math.max(wait, Math.min(askedMs, MAX_ASKED_MS)) * (1 + JITTER * random()));
}
