import { lookup as lookupOfSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createGuardedConnector, readRetryAfter, ServiceError, USER_AGENT } from '@darkroom/image-api';
import { type Clock, isTimeout, systemClock, withTimeout } from '@darkroom/time';
import { Agent } from 'undici';
import { createNameLookup } from '../outbound/name-lookup.ts';

/** What came of an attempt. `gone`: the receiver wants no more of it. */
export interface SendResult {
  outcome: 'delivered' | 'failed' | 'gone';
  /** Of the answer. */
  status?: number;
  /** Of the answer: how long it asked to wait. */
  retryAfterMs?: number;
  /** In words for the account. */
  error?: string;
}

interface OutgoingMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** For one attempt as a whole. */
const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** What is read of an answer, so that its connection can be used again. Nobody sees it. */
const IGNORED_BYTES = 16 * 1024;

const GONE = 410;

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/**
 * Sends messages to addresses that callers name: to the public internet only, and to `allowedOrigins`. The address
 * that was checked is the one that is connected to. Redirects are not followed.
 */
export function createWebhookSender({
  allowedOrigins,
  nameServers,
  lookup,
  timeoutMs = TIMEOUT_MS,
  clock = systemClock,
}: {
  allowedOrigins: readonly string[];
  /** Those of this machine unless given. */
  nameServers?: readonly string[] | undefined;
  lookup?: LookupFunction | undefined;
  timeoutMs?: number | undefined;
  /** The system's unless given. */
  clock?: Pick<Clock, 'now'> | undefined;
}) {
  const names = createNameLookup(nameServers);
  const agent = new Agent({
    connect: createGuardedConnector({
      trustedOrigins: allowedOrigins,
      lookup: lookup ?? names.lookup,
      trustedLookup: lookupOfSystem,
      timeoutMs: CONNECT_TIMEOUT_MS,
    }),
    // Every attempt has a bound of its own, for the whole of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function post(
    url: URL,
    { headers, body }: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    await answer.body.dump({ limit: IGNORED_BYTES, signal });
    return resultOf(answer.statusCode, readRetryAfter(answer.headers['retry-after'], clock.now()));
  }

  return {
    /** Rejects only with the reason of `signal`. */
    async send(url: URL, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
      try {
        return await withTimeout(timeoutMs, (bounded) => post(url, message, bounded), { signal });
      } catch (error) {
        signal.throwIfAborted();
        return { outcome: 'failed', error: explain(error, timeoutMs) };
      }
    },

    async close(): Promise<void> {
      names.close();
      await agent.destroy();
    },
  };
}

function resultOf(status: number, retryAfterMs: number | undefined): SendResult {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  if (status === GONE) return { outcome: 'gone', status };
  const redirected = status >= 300 && status < 400;
  return {
    outcome: 'failed',
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(redirected && { error: 'redirects are not followed' }),
  };
}

/** In our words, or by the code of Node: the rest may tell more of this machine than a caller should know. */
function explain(error: unknown, timeoutMs: number): string {
  if (isTimeout(error)) return `no answer within ${timeoutMs / 1_000} s`;
  if (error instanceof ServiceError) return 'its address is on this machine or in a private network';
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
