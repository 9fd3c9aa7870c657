import { readRetryAfter } from '@darkroom/image-api';
import { type Clock, withTimeout } from '@darkroom/time';
import {
  createGuardedAgent,
  explainFailedCall,
  type GuardedAgentOptions,
} from '../outbound/guarded-agent.ts';

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

/** Sends messages to addresses that callers name: to the public internet only, and to `allowedOrigins`. */
export function createWebhookSender({
  allowedOrigins,
  nameServers,
  timeoutMs = TIMEOUT_MS,
  clock,
}: Pick<GuardedAgentOptions, 'nameServers'> & {
  allowedOrigins: readonly string[];
  timeoutMs?: number | undefined;
  clock: Pick<Clock, 'now'>;
}) {
  const agent = createGuardedAgent({
    trustedOrigins: allowedOrigins,
    nameServers,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });

  async function post(
    url: URL,
    { headers, body }: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const answer = await agent.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
    });
    await answer.body.dump({ limit: IGNORED_BYTES, signal });
    const { 'retry-after': retryAfter, date } = answer.headers;
    return resultOf(answer.statusCode, readRetryAfter(retryAfter, clock.now(), date?.toString()));
  }

  return {
    /** Rejects only with the reason of `signal`. */
    async send(url: URL, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
      try {
        return await withTimeout(timeoutMs, (bounded) => post(url, message, bounded), { signal });
      } catch (error) {
        signal.throwIfAborted();
        const words = { slow: `no answer within ${timeoutMs / 1_000} s`, hidden: 'its address' };
        return { outcome: 'failed', error: explainFailedCall(error, words) };
      }
    },

    close: agent.close,
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
