import { type RetryOptions, retry } from '@darkroom/time';
import type { Pool } from 'undici';
import type { z } from 'zod';
import { holdsMoreValues } from '../bytes/json-values.ts';
import { slowLineMs } from '../contract/limits.ts';
import { HEADERS, type Operation, operationName } from '../contract/operation.ts';
import { ServiceError } from '../service-error.ts';
import { type HttpResponse, sendRequest } from './http-request.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { formBody, jsonBody } from './request-body.ts';
import { readResponse } from './response.ts';
import { ANSWER_TOO_LARGE } from './retry-policies.ts';

/** Unless its operation says another. */
const ANSWER_MAX_BYTES = 1024 ** 2;
/** Values in an answer that is read: a page of tasks has some thousands. */
const ANSWER_MAX_VALUES = 20_000;
/** A smaller answer has fewer: each takes a character, and one to divide it from the next. */
const MANY_VALUES_BYTES = 2 * ANSWER_MAX_VALUES;

/** A part of a request, by its schema in the contract: required where the schema requires something. */
type Part<Name extends 'query' | 'body', Schema> = Schema extends z.ZodType
  ? Record<never, never> extends z.input<Schema>
    ? { [Key in Name]?: z.input<Schema> }
    : { [Key in Name]: z.input<Schema> }
  : { [Key in Name]?: never };

interface CommonInput {
  apiKey?: string | undefined;
  /** The login token in `body`, if there is one: never to be seen in an error. */
  token?: string | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Hears what the service still allows, of every answer that says so. */
  onRateLimit?: ((limit: RateLimit) => void) | undefined;
  /** What an operation that takes a file is sent. */
  file?: Uint8Array | undefined;
  /** For one attempt, where that is not the client's. */
  timeoutMs?: number;
  /** Which failures are retried; none unless given. */
  retries?: RetryOptions['policy'] | undefined;
}

type CallInput<Asked extends Operation> = CommonInput &
  Part<'query', Asked['query']> &
  Part<'body', Asked['body']>;

export function createCaller({
  pool,
  basePath,
  timeoutMs: usualMs,
  clock,
  random,
  onIdempotencyHeader,
}: Pick<RetryOptions, 'clock' | 'random'> & {
  /** Connections to the service's origin. Follows no redirects, so a key never travels further. */
  pool: Pool;
  /** What stands before the operation's path in the base URL: empty, or `/path`. */
  basePath: string;
  /** For one attempt, beside the time that a slow line takes to send it. */
  timeoutMs: number;
  /** Hears whether an answer carries `idempotency-key-supported: true`. */
  onIdempotencyHeader: (supported: boolean) => void;
}) {
  async function attempt<Data>(
    operation: Operation,
    reader: z.ZodType<Data>,
    {
      apiKey,
      token,
      idempotencyKey,
      signal,
      onRateLimit,
      timeoutMs = usualMs,
      query,
      body,
      file,
    }: CommonInput & { query?: object; body?: object | null | undefined },
  ): Promise<Data> {
    const { method, path, selector, file: part, carriesContent = false, answer } = operation;
    const { maxBytes = ANSWER_MAX_BYTES } = answer;
    const what = `${method} ${path}?${operationName(operation)}`;
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ServiceError(
        'unauthorized',
        `${what} was not sent: a key has no spaces and no special characters`,
      );
    }
    const sent = part !== undefined && file ? formBody(part, file) : jsonBody(body);
    const response = await sendRequest({
      dispatcher: pool,
      what,
      timeoutMs: timeoutMs + waitMs(query) + slowLineMs(sent?.length ?? 0),
      signal,
      method,
      path: `${basePath}${path}?${queryString({ ...selector, ...query })}`,
      headers: {
        accept: 'application/json',
        ...(apiKey !== undefined && { [HEADERS.key]: apiKey }),
        ...(idempotencyKey !== undefined && { [HEADERS.idempotencyKey]: idempotencyKey }),
        ...(sent && { 'content-type': sent.type }),
        ...(sent?.length !== undefined && { 'content-length': `${sent.length}` }),
      },
      body: sent?.content ?? null,
      maxBytes: () => maxBytes,
    });
    if (response.truncated) throw answerTooLarge(response, `${what} answered more than ${maxBytes} bytes`);
    if (response.body.length > MANY_VALUES_BYTES && holdsMoreValues(response.body, ANSWER_MAX_VALUES))
      throw answerTooLarge(response, `${what} answered more than ${ANSWER_MAX_VALUES} values`);
    const limit = onRateLimit && readRateLimit(response.headers);
    if (limit) onRateLimit?.(limit);
    const secrets = [apiKey, token].filter((secret): secret is string => Boolean(secret));
    const supported = `${response.headers[HEADERS.idempotencySupported]}`.toLowerCase() === 'true';
    if (supported) onIdempotencyHeader(true);
    const data = readResponse(response, reader, { what, secrets, carriesContent, now: clock.now() });
    onIdempotencyHeader(supported);
    return data;
  }

  /**
   * `data` of the answer, as the contract reads it. Rejects with `ServiceError`, or with the reason of the call's
   * signal.
   */
  return function call<Asked extends Operation, Data>(
    operation: Asked & { answer: { read: z.ZodType<Data> } },
    input: CallInput<Asked>,
  ): Promise<Data> {
    const { retries: policy, signal } = input;
    const once = () => attempt(operation, operation.answer.read, input);
    return policy ? retry(once, { policy, clock, random, signal }) : once();
  };
}

/** It would be as large again, unless it is the page of a proxy whose service is away. */
const answerTooLarge = ({ status }: Pick<HttpResponse, 'status'>, message: string): ServiceError =>
  new ServiceError('protocol', message, { status, code: status < 500 ? ANSWER_TOO_LARGE : undefined });

/** How much longer an answer may take that is asked to wait. */
const waitMs = (query: object | undefined): number =>
  query && 'wait' in query && typeof query.wait === 'number' ? query.wait * 1_000 : 0;

const queryString = (query: object): string =>
  Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value))}`)
    .join('&');

/** Most values are plain: escaping one costs a poll as much as reading its answer. */
const escaped = (value: string): string =>
  /^[\w.-]*$/.test(value) ? value : `${new URLSearchParams({ '': value })}`.slice(1);
