import { MINUTE_MS } from '@darkroom/time';
import { ApiError } from './api-error.ts';

/** How often something may still be done until its limit begins anew. */
export interface RateState {
  /** Whether this time was within the limit. */
  allowed: boolean;
  max: number;
  remaining: number;
  /** Milliseconds until all of them are there again. */
  resetMs: number;
}

/** How often something was done in the present minute of a limit. */
export interface RateWindow {
  /** Milliseconds since the epoch. */
  startedAt: number;
  used: number;
}

/**
 * Counts one more time, unless that is beyond `max`. A minute begins with the first time after the last one; one that
 * begins a minute from now or later was counted before the clock was set back.
 */
export function countInMinute(
  last: RateWindow | undefined,
  max: number,
  now: number,
): { window: RateWindow; rateState: RateState } {
  const present = last && Math.abs(last.startedAt - now) < MINUTE_MS ? last : { startedAt: now, used: 0 };
  const allowed = present.used < max;
  const window = { ...present, used: present.used + (allowed ? 1 : 0) };
  const remaining = Math.max(0, max - window.used);
  return { window, rateState: { allowed, max, remaining, resetMs: window.startedAt + MINUTE_MS - now } };
}

/** As callers are told how long to wait: whole seconds, and one at least. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** The headers of an answer that say what is still allowed; `Retry-After` where nothing is. */
export function rateHeaders({ allowed, max, remaining, resetMs }: RateState): Record<string, string> {
  const reset = String(wholeSeconds(resetMs));
  return {
    'ratelimit-limit': String(max),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': reset,
    ...(!allowed && { 'retry-after': reset }),
  };
}

/** The error for one time too many, with when to come back. */
export const rateLimited = (message: string, rateState: RateState): ApiError =>
  new ApiError('rate_limited', message, {
    details: { max: rateState.max, retry_after_seconds: wholeSeconds(rateState.resetMs) },
    headers: rateHeaders(rateState),
  });

/** Refuses a submission because of those before it, until there should be room. */
export function queueFull(message: string, roomInMs: number, details: { max?: number } = {}): ApiError {
  const seconds = wholeSeconds(roomInMs);
  return new ApiError('queue_full', message, {
    details: { ...details, retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  });
}
