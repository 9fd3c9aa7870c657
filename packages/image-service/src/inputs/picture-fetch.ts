import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import { withTimeout } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import { parseCallerUrl } from '../outbound/caller-url.ts';
import {
  createGuardedAgent,
  explainFailedCall,
  type GuardedAgentOptions,
} from '../outbound/guarded-agent.ts';
import { bytesOfFile, fileTooLarge } from './input-picture.ts';

/** For one picture as a whole. */
const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * For all pictures of a submission, which are fetched one after the other. With what is made of them, its answer is
 * there before its connection is taken for idle.
 */
export const FETCHES_MS = 30_000;

export type PictureFetch = ReturnType<typeof createPictureFetch>;

/** Fetches pictures from addresses that callers name: by https and from the public internet only. */
export function createPictureFetch({
  trustedOrigins = [],
  nameServers,
}: Partial<Pick<GuardedAgentOptions, 'trustedOrigins' | 'nameServers'>> = {}) {
  const agent = createGuardedAgent({ trustedOrigins, nameServers, connectTimeoutMs: CONNECT_TIMEOUT_MS });

  async function get(url: URL, signal: AbortSignal): Promise<Buffer> {
    const { statusCode, headers, body } = await agent.request(url, {
      method: 'GET',
      headers: { accept: PICTURE_LIMITS.types.join(', ') },
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
    /**
     * The bytes at the address that a parameter names. Rejects with an API error, as the signal's reason is. `leftMs`:
     * of the time for all pictures of its submission.
     */
    async fetch(
      address: string,
      {
        parameter,
        signal,
        leftMs = FETCHES_MS,
      }: { parameter: string; signal?: AbortSignal | undefined; leftMs?: number },
    ): Promise<Buffer> {
      const url = parseCallerUrl(address, { parameter, allowedOrigins: trustedOrigins });
      const slow =
        leftMs < TIMEOUT_MS
          ? `with those before it, it did not arrive within ${FETCHES_MS / 1_000} s`
          : `it did not arrive within ${TIMEOUT_MS / 1_000} s`;
      if (leftMs <= 0) throw notFetched(slow);
      try {
        return await withTimeout(Math.min(TIMEOUT_MS, leftMs), (ending) => get(url, ending), { signal });
      } catch (error) {
        const words = { slow, hidden: 'it' };
        throw error instanceof ApiError ? error : notFetched(explainFailedCall(error, words));
      }
    },

    close: agent.close,
  };
}

const notFetched = (why: string) =>
  new ApiError(
    'picture_unreadable',
    `The picture cannot be fetched from its address: ${why}. Upload it instead.`,
  );
