import type { Pool } from 'undici';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { type Endpoint, HEADERS } from '../contract/endpoints.ts';
import { ServiceError } from '../errors.ts';
import { type Answer, readAnswer } from './answer.ts';
import { exchange } from './exchange.ts';
import { USER_AGENT } from './user-agent.ts';

export interface Call {
  /** Joins the query that selects the endpoint. */
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  apiKey?: string | undefined;
  /** The login token in `body`, if there is one: never to be seen in an error. */
  token?: string | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** `POST /v1/index.php?endpoint=image_generation`: how messages name an operation. */
export const operationName = ({ method, path, query }: Endpoint): string =>
  `${method} ${path}?${new URLSearchParams(query)}`;

/** Calls operations of the service, one attempt each. */
export function createCaller({
  pool,
  basePath,
  timeoutMs,
  clock,
  onAnnouncement,
}: {
  /** Connections to the service's origin. Follows no redirects, so a key never travels further. */
  pool: Pool;
  /** What stands before the endpoint's path in the base URL: empty, or `/path`. */
  basePath: string;
  timeoutMs: number;
  clock: Clock;
  /** Hears whether an answer announces that `Idempotency-Key` is honoured. */
  onAnnouncement: (honours: boolean) => void;
}) {
  /** `data` of the answer as `reader` reads it. Rejects with `ServiceError`, or with the reason of the call's signal. */
  return async function call<Data>(endpoint: Endpoint, reader: z.ZodType<Data>, input: Call): Promise<Data> {
    const { apiKey, token, idempotencyKey, signal } = input;
    const what = operationName(endpoint);
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ServiceError(
        'unauthorized',
        `${what} was not sent: a key has no spaces and no special characters`,
      );
    }
    const answer = await exchange({
      dispatcher: pool,
      what,
      timeoutMs,
      signal,
      request: {
        method: endpoint.method,
        path: `${basePath}${endpoint.path}?${new URLSearchParams({ ...endpoint.query, ...input.query })}`,
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...(apiKey !== undefined && { [HEADERS.key]: apiKey }),
          ...(idempotencyKey !== undefined && { [HEADERS.idempotencyKey]: idempotencyKey }),
          ...(input.body && { 'content-type': 'application/json' }),
        },
        body: input.body ? JSON.stringify(input.body) : null,
      },
      async read({ statusCode, headers, body }): Promise<Answer> {
        return { status: statusCode, headers, text: await body.text() };
      },
    });
    const secrets = [apiKey, token].filter((secret): secret is string => Boolean(secret));
    const honours = `${answer.headers[HEADERS.idempotencySupported]}`.toLowerCase() === 'true';
    if (honours) onAnnouncement(true);
    const data = readAnswer(answer, reader, { what, secrets, now: clock.now() });
    onAnnouncement(honours);
    return data;
  };
}
