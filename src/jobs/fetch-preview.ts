import type { ImageClient } from '@darkroom/image-api';
import { withTimeout } from '@darkroom/time';
import type { FetchPreview } from './delivery-port.ts';
import { rateLimitKey } from './job.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A preview of ours has 20,000 bytes at most, and it is replaced every few seconds. */
const MAX_BYTES = 256 * 1024;

/** Fetches previews as finished pictures are fetched, but after every other call of their server, and only once. */
export function createPreviewFetch({
  images,
  rateLimiter,
}: {
  images: Pick<ImageClient, 'download'>;
  rateLimiter: Pick<RateLimiter, 'run'>;
}): FetchPreview {
  return async (job, address, { withinMs, signal }) => {
    try {
      return await withTimeout(
        withinMs,
        (within) =>
          rateLimiter.run(
            rateLimitKey(job),
            'preview',
            () => images.download(address, { signal: within, maxBytes: MAX_BYTES, once: true }),
            { signal: within },
          ),
        { signal },
      );
    } catch {
      return undefined;
    }
  };
}
