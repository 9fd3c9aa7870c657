import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, withTimeout } from '@darkroom/time';
import type { Metrics } from '../../observability/metrics.ts';
import type { FetchPicture, FetchPreview } from '../delivery-port.ts';
import { guildOrMember } from '../job.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { IdempotencySupport } from './idempotency.ts';
import { createKeyTurns } from './key-turns.ts';
import { createPoller } from './poller.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A preview of ours has 20,000 bytes at most, and it is replaced every few seconds. */
const PREVIEW_BYTES = 256 * 1024;

/** The image service as runs use it: its calls, and what orders, slows and repeats them. */
export type ServiceAccess = ReturnType<typeof createServiceAccess>;

export function createServiceAccess({
  name,
  images: client,
  idempotency,
  rateLimiter,
  clock,
  log,
  metrics,
}: {
  /** Names the service in rows: a task of another name is lost here. */
  name: string;
  idempotency: IdempotencySupport;
  rateLimiter: RateLimiter;
  images: Pick<ImageClient, 'submit' | 'status' | 'cancel' | 'download' | 'upload'>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'poll'>;
}) {
  const { images, admit } = createCircuitBreaker({ images: client, clock, log });

  const fetchIn =
    (kind: 'download' | 'preview'): FetchPicture =>
    (job, address, bounds) => {
      const call = () => images.download(address, { ...bounds, once: true });
      return rateLimiter.run(guildOrMember(job), kind, call, { signal: bounds.signal });
    };

  const fetchPreview: FetchPreview = (job, address, { withinMs, signal }) => {
    const download = (within: AbortSignal) =>
      fetchIn('preview')(job, address, { maxBytes: PREVIEW_BYTES, signal: within });
    return withTimeout(withinMs, download, { signal }).catch(() => undefined);
  };

  return {
    name,
    images,
    /** Throws `ServiceDownError` where a new request would come to nothing. */
    admit,
    idempotency,
    keyTurns: createKeyTurns({ clock, random: Math.random }),
    rateLimiter,
    poller: createPoller({ images, rateLimiter, clock, random: Math.random, metrics }),
    fetchPicture: fetchIn('download'),
    fetchPreview,
  };
}
