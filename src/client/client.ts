import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Clock, wakefulClock } from '../clock.ts';
import {
  type CurrentKey,
  type GenerateKeyBody,
  type GetKeyBody,
  type RevokeKeyBody,
  readKey,
  readRevoked,
} from '../contract/api-key.ts';
import { type Balance, readBalance } from '../contract/balance.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { type QueuedTask, readQueued, type Submission, submission } from '../contract/submission.ts';
import { readTask, type Task } from '../contract/task.ts';
import { ServiceError } from '../errors.ts';
import { createCaller, operationName } from './call.ts';
import { createDownloader } from './download.ts';
import { CHANGING, READING, withRetries } from './retry.ts';

export interface ImageClientOptions {
  /** The service's `{base_url}`, with or without a path. */
  baseUrl: string;
  /** For one attempt, in milliseconds; 30 s unless given. */
  timeoutMs?: number;
  /** Connections at once, for calls and for downloads each; 64 unless given. Further calls wait within their timeout. */
  connections?: number;
  clock?: Clock;
  /** Draws from [0, 1): the jitter of retries. */
  random?: () => number;
  /** Resolves the hosts of pictures; `dns.lookup` unless given. */
  lookup?: LookupFunction;
}

export type ImageClient = ReturnType<typeof createImageClient>;

/** The largest JSON answer that is read. */
const ANSWER_MAX_BYTES = 1024 ** 2;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A client of the image service. Every function rejects with `ServiceError`, or with the caller's own reason where
 * `signal` aborts. A call that waits for its next attempt keeps the process alive. From a prompt to a file:
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { setTimeout } from 'node:timers/promises';
 *
 * const client = createImageClient({ baseUrl });
 * const { taskId } = await client.submit({ prompt: 'a red fox in the snow' }, { apiKey });
 * let task = await client.status(taskId, { apiKey });
 * while (task.state !== 'completed' && task.state !== 'failed') {
 *   await setTimeout(2_500);
 *   task = await client.status(taskId, { apiKey });
 * }
 * if (task.imageUrl === undefined) throw new Error(task.reason);
 * const picture = await client.download(task.imageUrl);
 * await writeFile('fox.png', picture.bytes);
 * await client.close();
 */
export function createImageClient({
  baseUrl,
  timeoutMs = 30_000,
  connections = 64,
  clock = wakefulClock,
  random = Math.random,
  lookup,
}: ImageClientOptions) {
  const base = new URL(`${baseUrl.replace(/\/+$/, '')}/`);
  const pool = new Pool(base.origin, {
    connections,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_MAX_BYTES,
  });
  const pictures = createDownloader({ baseUrl: base, connections, lookup, clock, random });
  let honoursIdempotency: boolean | undefined;
  const call = createCaller({
    pool,
    basePath: base.pathname.slice(0, -1),
    timeoutMs,
    clock,
    onAnnouncement(honours) {
      honoursIdempotency = honours;
    },
  });

  const reading = <Result>(signal: AbortSignal | undefined, attempt: () => Promise<Result>) =>
    withRetries(attempt, { policy: READING, clock, random, signal });
  const changing = <Result>(signal: AbortSignal | undefined, attempt: () => Promise<Result>) =>
    withRetries(attempt, { policy: CHANGING, clock, random, signal });

  return {
    /**
     * Hands in a task. Sent again only where it is certain that nothing happened: no connection, 429, 503 with
     * `Retry-After`. After any other failure `ServiceError.unclear` says whether the task may exist and cost credits.
     * What the interface does not allow is `refused` with code `invalid_submission`, and not sent.
     */
    async submit(
      wanted: Submission,
      options: { apiKey: string; idempotencyKey?: string | undefined } & Abortable,
    ): Promise<QueuedTask> {
      const checked = submission.safeParse(wanted);
      if (!checked.success) {
        const reason = z.prettifyError(checked.error);
        throw new ServiceError('refused', `the submission was not sent: ${reason}`, {
          code: 'invalid_submission',
          reason,
        });
      }
      return changing(options.signal, () =>
        call(ENDPOINTS.submit, readQueued, { ...options, body: checked.data }),
      );
    },

    /** How a task is doing. One attempt: who polls comes again anyway, and waits `retryAfterMs` where it is given. */
    status(taskId: string, options: { apiKey: string } & Abortable): Promise<Task> {
      return call(ENDPOINTS.status, readTask, { ...options, query: { task_id: taskId } });
    },

    /**
     * Ends a task that is not over, where the service can: the interface shows no such operation. One attempt; the
     * answer is the task as it then is.
     */
    cancel(taskId: string, options: { apiKey: string } & Abortable): Promise<Task> {
      return call(ENDPOINTS.cancel, readTask, { ...options, body: { task_id: taskId } });
    },

    /** The credits of the account that the key belongs to. */
    balance(options: { apiKey: string } & Abortable): Promise<Balance> {
      return reading(options.signal, () => call(ENDPOINTS.balance, readBalance, options));
    },

    /** A new key for the account that the login token belongs to. */
    async generateKey({ token, signal }: { token: string } & Abortable): Promise<{ apiKey: string }> {
      const body = { token } satisfies GenerateKeyBody;
      const { apiKey } = await changing(signal, () =>
        call(ENDPOINTS.generateKey, readKey, { token, signal, body }),
      );
      if (apiKey === undefined) {
        throw new ServiceError('protocol', `${operationName(ENDPOINTS.generateKey)} answered without a key`);
      }
      return { apiKey };
    },

    /**
     * The account's active key, by login token or by a key. `apiKey` is absent where there is none, and where the
     * service shows only a part of it, which is then `masked`.
     */
    getKey({ token, apiKey, signal }: { token?: string; apiKey?: string } & Abortable): Promise<CurrentKey> {
      const body = (token === undefined ? {} : { token }) satisfies GetKeyBody;
      return reading(signal, () => call(ENDPOINTS.getKey, readKey, { token, apiKey, signal, body }));
    },

    /**
     * Revokes one key (`apiKey`), or with `all` every active one of the account. The account is known by the login
     * token, or by the key; a service may let a key revoke itself only. `revoked` counts, where the service does.
     */
    revokeKey({
      apiKey,
      token,
      signal,
      ...rest
    }: Revocation & Abortable): Promise<{ revoked: number | undefined }> {
      const which = 'all' in rest && rest.all ? { all: true as const } : { api_key: apiKey };
      const body = { ...which, ...(token !== undefined && { token }) } satisfies RevokeKeyBody;
      return changing(signal, () => call(ENDPOINTS.revokeKey, readRevoked, { token, apiKey, signal, body }));
    },

    /**
     * A picture from an absolute address, or from one relative to the service's. Never shown a key. `blocked`: an
     * address that is neither the service's nor public, too many redirects, too many bytes, or no picture.
     */
    download: pictures.download,

    /**
     * Whether the service's latest answer announced that it honours `Idempotency-Key`; undefined before the first one. A
     * failure may be a proxy's: it can announce, and its silence takes nothing back.
     */
    honoursIdempotency: () => honoursIdempotency,

    /** Ends every connection and what still runs on them. */
    async close(): Promise<void> {
      await Promise.all([pool.destroy(), pictures.close()]);
    },
  };
}

interface Abortable {
  signal?: AbortSignal | undefined;
}

/** Which keys to revoke. The interface does not show how to say it; ours takes the key itself, or `all`. */
type Revocation =
  | { apiKey: string; token?: string | undefined; all?: false }
  | { all: true; apiKey?: string | undefined; token?: string | undefined };
