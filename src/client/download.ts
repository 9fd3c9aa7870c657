import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { within } from '../deadline.ts';
import { ServiceError } from '../errors.ts';
import { createGuardedConnector } from './address-guard.ts';
import { nameOf, pictureAddress } from './picture-address.ts';
import { createPictureFetch, type Picture } from './picture-fetch.ts';
import { FETCHING, type RetryDependencies, withRetries } from './retry.ts';

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Largest picture that is taken, in bytes; 32 MiB unless given. */
  maxBytes?: number;
  /** For everything together, redirects and further attempts included; 60 s unless given. */
  timeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Silence after which one attempt is given up, so that a transfer that hangs leaves time for another. */
const SILENCE_MS = 15_000;

/**
 * Fetches pictures from addresses that came out of an answer, and are therefore strangers: http(s) only, no key sent,
 * public addresses only (any for the service's own origin), bounded in size and time, taken for what their bytes are.
 */
export function createDownloader({
  baseUrl,
  connections,
  lookup,
  clock,
  random,
}: RetryDependencies & {
  /** What relative addresses are relative to; its origin is the service's own. */
  baseUrl: URL;
  /** At once, per origin. */
  connections: number;
  lookup: LookupFunction | undefined;
}) {
  const connect = createGuardedConnector({
    trustedOrigin: baseUrl.origin,
    lookup,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const agent = new Agent({ connect, connections, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
  const fetchPicture = createPictureFetch({ agent, clock });

  return {
    async download(
      address: string,
      { signal, maxBytes = 32 * 1024 ** 2, timeoutMs = 60_000 }: DownloadOptions = {},
    ): Promise<Picture> {
      const url = pictureAddress(address, baseUrl);
      try {
        return await within(timeoutMs, signal, (bounded) =>
          withRetries(() => fetchPicture(url, { signal: bounded, maxBytes, timeoutMs }), {
            policy: FETCHING,
            clock,
            random,
            signal: bounded,
          }),
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('timeout', `${nameOf(url)} took longer than ${timeoutMs} ms`, {
          cause: error,
        });
      }
    },
    close: () => agent.destroy(),
  };
}
