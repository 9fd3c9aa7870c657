import type { IncomingHttpHeaders } from 'node:http';

/** What a service still allows of the kind of request that it has just answered. */
export interface RateLimit {
  remaining: number;
  /** Milliseconds until there are more. */
  resetMs: number;
}

/** From `RateLimit-Remaining` and `RateLimit-Reset`, in seconds; undefined where they are absent or make no sense. */
export function readRateLimit(headers: IncomingHttpHeaders): RateLimit | undefined {
  const { 'ratelimit-remaining': remaining, 'ratelimit-reset': reset } = headers;
  if (!isWhole(remaining) || !isWhole(reset)) return undefined;
  return { remaining: Number(remaining), resetMs: Number(reset) * 1_000 };
}

/** Some services send a moment in place of seconds: no limit lasts for months. */
const isWhole = (value: string | string[] | undefined): boolean =>
  typeof value === 'string' && /^\d{1,7}$/.test(value);
