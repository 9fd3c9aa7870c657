import type { LookupFunction } from 'node:net';
import { type RetryOptions, retry, withTimeout } from '@darkroom/time';
import { Agent } from 'undici';
import { ServiceError } from '../service-error.ts';
import { createGuardedConnector, IDLE_CONNECTION_MS } from './address-guard.ts';
import { createPictureFetch, type DownloadedPicture, parsePictureUrl, requestName } from './picture-fetch.ts';
import { DOWNLOAD_RETRIES } from './retry-policies.ts';

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Largest picture that is taken, in bytes; 65 MiB unless given. */
  maxBytes?: number;
  /** For everything together, redirects and further attempts included; 60 s unless given. */
  timeoutMs?: number;
  /** One attempt, redirects included. */
  once?: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** One attempt ends when no byte has come for this long, so that there is time for another. */
const IDLE_TIMEOUT_MS = 15_000;

/**
 * Fetches pictures. Their addresses come from an answer and are not trusted: http(s) only, no key is sent, only
 * public addresses (any for the service's own origin), bounded in size and time, and the type is read from the bytes.
 */
export function createDownloader({
  baseUrl,
  connections,
  lookup,
  clock,
  random,
}: Pick<RetryOptions, 'clock' | 'random'> & {
  /** What relative addresses are relative to; its origin is the service's own. */
  baseUrl: URL;
  /** At once, per origin. */
  connections: number;
  lookup: LookupFunction | undefined;
}) {
  const connect = createGuardedConnector({
    trustedOrigins: [baseUrl.origin],
    lookup,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const agent = new Agent({
    connect,
    connections,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  const fetchPicture = createPictureFetch({ agent, clock });

  return {
    async download(
      address: string,
      { signal, maxBytes, timeoutMs = 60_000, once = false }: DownloadOptions = {},
    ): Promise<DownloadedPicture> {
      const url = parsePictureUrl(address, baseUrl);
      try {
        return await withTimeout(
          timeoutMs,
          (bounded) =>
            retry(() => fetchPicture(url, { signal: bounded, maxBytes, timeoutMs }), {
              policy: once ? { ...DOWNLOAD_RETRIES, maxAttempts: 1 } : DOWNLOAD_RETRIES,
              clock,
              random,
              signal: bounded,
            }),
          { signal },
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('timeout', `${requestName(url)} took longer than ${timeoutMs} ms`, {
          cause: error,
        });
      }
    },
    close: () => agent.destroy(),
  };
}
