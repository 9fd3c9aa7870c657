import { lookup as lookupOfSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createGuardedConnector, PICTURE_LIMITS, ServiceError, USER_AGENT } from '@darkroom/image-api';
import { isTimeout, withTimeout } from '@darkroom/time';
import { Agent } from 'undici';
import { ApiError } from '../api-error.ts';
import { parseCallerUrl } from '../outbound/caller-url.ts';
import { createNameLookup } from '../outbound/name-lookup.ts';
import { bytesOfFile, fileTooLarge } from './input-picture.ts';

/** For one picture as a whole. */
const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type PictureFetch = ReturnType<typeof createPictureFetch>;

/**
 * Fetches pictures from addresses that callers name: by https and from the public internet only. The address that was
 * checked is the one that is connected to. Redirects are not followed.
 */
export function createPictureFetch({
  trustedOrigins = [],
  lookup,
  timeoutMs = TIMEOUT_MS,
}: {
  /** Origins that are fetched from wherever they are; none unless given. */
  trustedOrigins?: readonly string[] | undefined;
  /** The name servers of this machine unless given. */
  lookup?: LookupFunction | undefined;
  timeoutMs?: number | undefined;
} = {}) {
  const names = createNameLookup();
  const agent = new Agent({
    connect: createGuardedConnector({
      trustedOrigins,
      lookup: lookup ?? names.lookup,
      trustedLookup: lookupOfSystem,
      timeoutMs: CONNECT_TIMEOUT_MS,
    }),
    // Every picture has a bound of its own, for the whole of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function get(url: URL, signal: AbortSignal): Promise<Buffer> {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { 'user-agent': USER_AGENT, accept: 'image/png, image/jpeg, image/webp' },
      signal,
    });
    try {
      if (statusCode >= 300 && statusCode < 400) throw notFetched('redirects are not followed');
      if (statusCode !== 200) throw notFetched(`it answered ${statusCode}`);
      if (Number(headers['content-length']) > PICTURE_LIMITS.bytes) throw fileTooLarge();
      return await bytesOfFile(body, headers['content-length']?.toString());
    } finally {
      // What is left of it is not worth the connection; that it ends early is no error.
      body.on('error', () => undefined).destroy();
    }
  }

  return {
    /** The bytes at the address that a parameter names. Rejects with an API error, as the signal's reason is. */
    async fetch(
      address: string,
      { parameter, signal }: { parameter: string; signal?: AbortSignal | undefined },
    ): Promise<Buffer> {
      const url = parseCallerUrl(address, { parameter, allowedOrigins: trustedOrigins });
      try {
        return await withTimeout(timeoutMs, (ending) => get(url, ending), { signal });
      } catch (error) {
        throw error instanceof ApiError ? error : notFetched(explain(error, timeoutMs));
      }
    },

    async close(): Promise<void> {
      names.close();
      await agent.destroy();
    },
  };
}

const notFetched = (why: string) =>
  new ApiError(
    'picture_unreadable',
    `The picture cannot be fetched from its address: ${why}. Upload it instead.`,
  );

/** In our words, or by the code of Node: the rest may tell more of this machine than a caller should know. */
function explain(error: unknown, timeoutMs: number): string {
  if (isTimeout(error)) return `it did not arrive within ${timeoutMs / 1_000} s`;
  if (error instanceof ServiceError) return 'it is on this machine or in a private network';
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
