import { createHash } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import { ApiError } from './errors.ts';

/** `calls` in every `windowMs` milliseconds. */
interface Limit {
  calls: number;
  windowMs: number;
}

export interface RateLimitSettings {
  /** Calls of one method on the webhook of one interaction token. */
  interactionWebhook: Limit;
  /** Follow-ups of all interactions in one channel: Discord does not announce it in headers (scope `shared`). */
  channelFollowUps: Limit;
  /**
   * Edits of the answers to all interactions in one channel, announced as little. Whether Discord counts them is not
   * known.
   */
  channelReplyEdits: Limit;
  /** Reads of a channel's messages, a page each: its headers announce another limit until it is reached. */
  channelRead: Limit;
  channelSend: Limit;
  channelEdit: Limit;
  /** Edits of messages older than an hour, in one channel (30046). */
  oldEdits: Limit;
  /** All calls with one bot token. */
  global: Limit;
  /** Identifies of one bucket, which is the shard's id modulo `max_concurrency`; what is too much ends in op 9. */
  identify: Limit;
  /** What a bot sends over one gateway connection. */
  gatewaySend: Limit;
}

/**
 * Discord publishes only the global one ('Rate Limits') and the gateway's ('Gateway', rate limiting and sharding);
 * the others are what bots have observed: discord-api-docs threads 2701 (webhooks of interactions), 4413 (old
 * messages) and 8161 (reads of channels), and bots' logs for the rest of channels.
 */
export const OBSERVED_LIMITS: RateLimitSettings = {
  interactionWebhook: { calls: 5, windowMs: 2000 },
  channelFollowUps: { calls: 30, windowMs: 60_000 },
  channelReplyEdits: { calls: Number.POSITIVE_INFINITY, windowMs: 60_000 },
  channelRead: { calls: 5, windowMs: 5000 },
  channelSend: { calls: 5, windowMs: 5000 },
  channelEdit: { calls: 5, windowMs: 5000 },
  oldEdits: { calls: 3, windowMs: 6000 },
  global: { calls: 50, windowMs: 1000 },
  identify: { calls: 1, windowMs: 5000 },
  gatewaySend: { calls: 120, windowMs: 60_000 },
};

interface Taken {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds since the epoch, and from now. */
  resetAt: number;
  resetAfterMs: number;
}

/** Counts calls in windows that begin with their first call, as Discord's do. */
export function createRateLimiter({ clock, limits }: { clock: Clock; limits: RateLimitSettings | 'off' }) {
  const windows = new Map<string, { resetAt: number; used: number }>();

  function removeOld(now: number): void {
    if (windows.size < 1000) return;
    for (const [key, { resetAt }] of windows) if (resetAt <= now) windows.delete(key);
  }

  return {
    /** Counts one call; `undefined` where limits are off. `of` is what the limit is kept for: a channel, a token. */
    take(name: keyof RateLimitSettings, of: string): Taken | undefined {
      if (limits === 'off') return undefined;
      const { calls, windowMs } = limits[name];
      const now = clock.now();
      const key = `${name} ${of}`;
      const known = windows.get(key);
      removeOld(now);
      const window = known && known.resetAt > now ? known : { resetAt: now + windowMs, used: 0 };
      windows.set(key, window);
      const allowed = window.used < calls;
      if (allowed) window.used++;
      return {
        allowed,
        limit: calls,
        remaining: calls - window.used,
        resetAt: window.resetAt,
        resetAfterMs: window.resetAt - now,
      };
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The headers that announce a bucket. Source: 'Rate Limits', header format. */
export function bucketHeaders(taken: Taken, route: string): Record<string, string> {
  return {
    'x-ratelimit-limit': String(taken.limit),
    'x-ratelimit-remaining': String(taken.remaining),
    'x-ratelimit-reset': (taken.resetAt / 1000).toFixed(3),
    'x-ratelimit-reset-after': (taken.resetAfterMs / 1000).toFixed(3),
    'x-ratelimit-bucket': createHash('md5').update(route).digest('hex'),
  };
}

/** The 429 for a call too many. `shared` limits are for all callers together and announce no bucket. */
export function rateLimited(
  taken: Taken,
  scope: 'user' | 'global' | 'shared',
  { code, message = 'You are being rate limited.' }: { code?: number; message?: string } = {},
): ApiError {
  const seconds = taken.resetAfterMs / 1000;
  const body = { message, retry_after: Number(seconds.toFixed(3)), global: scope === 'global' };
  return new ApiError(429, code === undefined ? body : { ...body, code }, {
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' && { 'x-ratelimit-global': 'true' }),
  });
}
