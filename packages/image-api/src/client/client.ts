import type { LookupFunction } from 'node:net';
import { type Clock, refdClock } from '@darkroom/time';
import { Pool } from 'undici';
import { z } from 'zod';
import type { Balance } from '../contract/balance.ts';
import type { Capabilities } from '../contract/capabilities.ts';
import type { DryRun } from '../contract/dry-run.ts';
import type { CurrentKey } from '../contract/keys.ts';
import * as OPERATIONS from '../contract/operations.ts';
import { type QueuedTask, type Submission, submission } from '../contract/submission.ts';
import type { Task, TaskPage } from '../contract/task.ts';
import type { TaskState } from '../contract/task-state.ts';
import type { Upload } from '../contract/upload.ts';
import type { Usage } from '../contract/usage.ts';
import { ServiceError } from '../service-error.ts';
import { createCaller } from './call.ts';
import { createDownloader } from './download.ts';
import { ping } from './ping.ts';
import type { RateLimit } from './rate-limit.ts';
import { READ_RETRIES, WRITE_RETRIES } from './retry-policies.ts';

export interface ImageClientOptions {
  /** The service's `{base_url}`, with or without a path. What is no http(s) address is a `TypeError`. */
  baseUrl: string;
  /**
   * For one attempt, in milliseconds; unless given 30 s, or 120 s of a submission to a service that knows no idempotency
   * keys: one that is given up there is lost, and may be paid. A file has the time of a slow line beside it.
   */
  timeoutMs?: number;
  /**
   * Connections at once, for calls and for downloads each; 64 unless given. Further calls wait within their timeout.
   */
  connections?: number;
  clock?: Clock;
  /** Draws from [0, 1): the jitter of retries. */
  random?: () => number;
  /** Resolves the hosts of pictures; `dns.lookup` unless given. */
  lookup?: LookupFunction;
}

export type ImageClient = ReturnType<typeof createImageClient>;

const TIMEOUT_MS = 30_000;
const SUBMISSION_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A client of the image service; the README shows it at work. Every function rejects with `ServiceError`, or with the
 * caller's own reason where `signal` aborts. A call that waits for its next attempt keeps the process alive.
 */
export function createImageClient({
  baseUrl,
  timeoutMs: givenMs,
  connections = 64,
  clock = refdClock,
  random = Math.random,
  lookup,
}: ImageClientOptions) {
  const base = readBaseUrl(baseUrl);
  const timeoutMs = givenMs ?? TIMEOUT_MS;
  const pool = new Pool(base.origin, {
    connections,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    // Every request has a bound of its own, for the whole of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const pictures = createDownloader({ baseUrl: base, connections, lookup, clock, random });
  let idempotencySupported: boolean | undefined;
  const call = createCaller({
    pool,
    basePath: base.pathname.slice(0, -1),
    timeoutMs,
    clock,
    random,
    onIdempotencyHeader(supported) {
      idempotencySupported = supported;
    },
  });

  return {
    /**
     * Hands in a task. Sent again only where it is certain that nothing happened: no connection, 429, 503 with
     * `Retry-After`. After any other failure `ServiceError.unclear` says whether the task may exist and cost credits.
     * What the interface does not allow is `refused` with code `invalid_submission`, and not sent. `once`: one
     * attempt. `onRateLimit` hears how many more the service takes for now, where it says so. With `wait`, a service
     * that can answers when the task ends or so many seconds are over, at most 50, with `task`.
     */
    async submit(task: Submission, { once, wait, ...options }: WithKey & SubmitOptions): Promise<QueuedTask> {
      const retries = once ? undefined : WRITE_RETRIES;
      const withinMs = givenMs ?? (idempotencySupported ? TIMEOUT_MS : SUBMISSION_TIMEOUT_MS);
      const body = checked(task);
      return call(OPERATIONS.submit, { ...options, query: { wait }, body, retries, timeoutMs: withinMs });
    },

    /**
     * What a submission would cost and when it would be drawn; refused as the submission would be. Nothing is
     * charged.
     */
    dryRun: async (task: Submission, options: WithKey): Promise<DryRun> =>
      call(OPERATIONS.dryRun, { ...options, body: checked(task), retries: READ_RETRIES }),

    /**
     * Keeps a picture (PNG, JPEG or WebP, see `PICTURE_LIMITS`) at the service until a day after its last use, for
     * submissions to name as `upload:ID`. Only for a service whose capabilities name operations. The same picture
     * again is the same upload. `once`: one attempt.
     */
    upload: (file: Uint8Array, { once, ...options }: WithKey & { once?: boolean }): Promise<Upload> =>
      call(OPERATIONS.upload, { ...options, file, retries: once ? undefined : READ_RETRIES }),

    /**
     * How a task is doing. One attempt: a poll is repeated anyway, and its caller obeys `retryAfterMs`. `wait`: as in
     * `submit`.
     */
    status: (taskId: string, { wait, ...options }: WithKey & Waiting): Promise<Task> =>
      call(OPERATIONS.status, { ...options, query: { task_id: taskId, wait } }),

    /**
     * Ends a task that is not over, where the service can: the interface shows no such operation. One attempt; the
     * answer is the task as it then is.
     */
    cancel: (taskId: string, options: WithKey): Promise<Task> =>
      call(OPERATIONS.cancel, { ...options, body: { task_id: taskId } }),

    /** A page of the account's tasks, newest first. `after` is `next` of the page before. */
    list: ({ status, limit, after, ...options }: WithKey & ListOptions): Promise<TaskPage> =>
      call(OPERATIONS.list, { ...options, query: { status, limit, after }, retries: READ_RETRIES }),

    /** What can be asked for. One attempt; a service that does not know the call answers it as any unknown one. */
    capabilities: (options: WithKey): Promise<Capabilities> => call(OPERATIONS.capabilities, options),

    /** The credits of the account that the key belongs to. */
    balance: (options: WithKey): Promise<Balance> =>
      call(OPERATIONS.balance, { ...options, retries: READ_RETRIES }),

    /** What the account had drawn by day (UTC, `2030-12-31`), the last 30 days unless said otherwise. */
    usage: ({ from, to, ...options }: WithKey & { from?: string; to?: string }): Promise<Usage> =>
      call(OPERATIONS.usage, { ...options, query: { from, to }, retries: READ_RETRIES }),

    /** The secret that the account's webhooks are signed with. */
    webhookSecret: (options: WithKey): Promise<{ webhookSecret: string }> =>
      call(OPERATIONS.getWebhookSecret, { ...options, retries: READ_RETRIES }),

    /** A new secret for the account's webhooks. One attempt: each would make another. */
    rotateWebhookSecret: ({
      token,
      signal,
    }: { token: string } & Abortable): Promise<{ webhookSecret: string }> =>
      call(OPERATIONS.rotateWebhookSecret, { token, signal, body: { token } }),

    /** What a receiver answers to a test of it. One attempt. */
    testWebhook: (
      webhook: string,
      options: WithKey,
    ): Promise<{ delivered: boolean; status: number | undefined; error: string | undefined }> =>
      call(OPERATIONS.testWebhook, { ...options, body: { webhook } }),

    /** Sends the webhook of a task that is over again; one that is under way is left alone. One attempt. */
    resendWebhook: (taskId: string, options: WithKey): Promise<Task> =>
      call(OPERATIONS.resendWebhook, { ...options, body: { task_id: taskId } }),

    /**
     * A new key for the account that the login token belongs to; with an `idempotencyKey` that was sent before, the
     * same key again, where the service knows such.
     */
    generateKey: ({
      token,
      ...options
    }: { token: string; idempotencyKey?: string | undefined } & Abortable): Promise<{ apiKey: string }> =>
      call(OPERATIONS.generateKey, { ...options, token, body: { token }, retries: WRITE_RETRIES }),

    /**
     * The account's active key, by login token or by a key. `apiKey` is absent where there is none, and where the
     * service shows only a part of it, which is then `masked`.
     */
    getKey: ({
      token,
      apiKey,
      signal,
    }: { token?: string; apiKey?: string } & Abortable): Promise<CurrentKey> =>
      call(OPERATIONS.getKey, { token, apiKey, signal, body: { token }, retries: READ_RETRIES }),

    /**
     * Revokes one key (`apiKey`), or with `all` every active one of the account. The account is known by the login
     * token, or by the key; a service may let a key revoke itself only. `revoked` counts, where the service does.
     */
    revokeKey({
      apiKey,
      token,
      all,
      signal,
    }: Revocation & Abortable): Promise<{ revoked: number | undefined }> {
      const body = { ...(all ? { all } : { api_key: apiKey }), token };
      return call(OPERATIONS.revokeKey, { token, apiKey, signal, body, retries: WRITE_RETRIES });
    },

    /**
     * A picture from an absolute address, or from one relative to the service's. Never shown a key. `blocked`: an
     * address that is neither the service's nor public, too many redirects, too many bytes, or no picture.
     */
    download: pictures.download,

    /**
     * Whether the latest answer carried `idempotency-key-supported: true`; undefined before the first answer. An
     * error without the header changes nothing, because it may come from a proxy.
     */
    idempotencySupported: () => idempotencySupported,

    /** Resolves where anything answers at the base address. No key is shown, and none is needed. */
    ping: ({ signal }: Abortable = {}): Promise<void> =>
      ping(pool, { path: base.pathname, timeoutMs, signal }),

    /**
     * Resolves where a service answers as one of the interface does to a call without a key. One attempt. Whether it
     * has the operation, and not only an address, tells more than `ping`; a service may count such calls as attempts.
     */
    async recognize({ signal }: Abortable = {}): Promise<void> {
      await call(OPERATIONS.balance, { signal }).catch((error: unknown) => {
        if (!(error instanceof ServiceError && isRefusalWithoutKey(error))) throw error;
      });
    },

    /**
     * Ends every connection and what still runs on them. A later call is `unreachable` at once, with code
     * `client_closed`.
     */
    async close(): Promise<void> {
      await Promise.all([pool.destroy(), pictures.close()]);
    },
  };
}

/** In an envelope, or with the status for it. */
const isRefusalWithoutKey = ({ kind, status }: ServiceError): boolean =>
  kind === 'unauthorized' || kind === 'refused' || status === 401 || status === 429;

/** A program in JavaScript may give anything, such as a variable of the environment that is not set. */
function readBaseUrl(baseUrl: unknown): URL {
  const problem = baseUrlProblem(baseUrl);
  if (typeof baseUrl === 'string' && !problem) return new URL(`${baseUrl.replace(/\/+$/, '')}/`);
  throw new TypeError(`baseUrl has to be an address such as https://images.example.com: ${problem}`);
}

/** In words that never hold the address, which may name a password. */
function baseUrlProblem(baseUrl: unknown): string | undefined {
  if (typeof baseUrl !== 'string') return `its type is ${baseUrl === null ? 'null' : typeof baseUrl}`;
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) return 'what was given is none';
  // Paths are added to it.
  if (/[?#]/.test(baseUrl)) return 'leave out what begins with ? or #';
  const { username, password } = new URL(baseUrl);
  return username || password ? 'leave out the user and the password, as only keys are sent' : undefined;
}

/** A submission that the interface allows. Throws `ServiceError` for any other. */
function checked(task: Submission): Submission {
  const read = submission.safeParse(task);
  if (read.success) return read.data;
  const reason = z.prettifyError(read.error);
  throw new ServiceError('refused', `the submission was not sent: ${reason}`, {
    code: 'invalid_submission',
    reason,
  });
}

interface Abortable {
  signal?: AbortSignal | undefined;
}

interface WithKey extends Abortable {
  apiKey: string;
}

interface Waiting {
  /** Seconds for which the answer may wait for the task to end. */
  wait?: number | undefined;
}

interface SubmitOptions extends Waiting {
  idempotencyKey?: string | undefined;
  once?: boolean;
  onRateLimit?: (limit: RateLimit) => void;
}

interface ListOptions {
  status?: TaskState | undefined;
  /** Tasks on a page. */
  limit?: number | undefined;
  after?: string | undefined;
}

/** Which keys to revoke. The interface does not show how to say it; ours takes the key itself, or `all`. */
type Revocation =
  | { apiKey: string; token?: string | undefined; all?: false }
  | { all: true; apiKey?: string | undefined; token?: string | undefined };
