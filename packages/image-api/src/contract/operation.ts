import { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import { taking } from './schema.ts';

/**
 * One operation of the interface as plain data: the request and every answer. The service's route and the client's
 * call are both derived from it.
 */
export interface Operation {
  method: 'GET' | 'POST';
  /** Below `{base_url}`. */
  path: string;
  /** The query parameter that tells this operation from the others on its path. */
  selector: Readonly<Record<string, string>>;
  summary: string;
  description?: string;
  /** What it is about. */
  tag: 'tasks' | 'pictures' | 'account' | 'keys' | 'webhooks';
  /** Who may ask: whoever has an API key, the account's login token, or either of them. */
  auth: 'key' | 'login token' | 'key or login token';
  headers?: z.ZodType;
  /** Without the selector. */
  query?: z.ZodType<unknown, object>;
  body?: z.ZodType<unknown, object | null | undefined>;
  /** Instead of a JSON body: the one part of `multipart/form-data` that there is, a picture, by its name. */
  file?: string;
  /** Whether words or a picture go with it: 403 may then be of what they show. Otherwise it is of the key. */
  carriesContent?: true;
  /**
   * `data` of a success: strictly what our service sends, and how the client reads what any service sends. Whatever
   * can be `sent` can be `read`. `maxBytes`: of the longest that is read, where a MiB is too little.
   */
  answer: { sent: z.ZodType; read: z.ZodType; maxBytes?: number };
  /** A body that is taken as it stands; where a body may be left out, an empty one unless given. */
  example?: object;
  /**
   * The operations that can follow, by name, with the parameters that they take from `data` of the answer: its field.
   */
  leadsTo?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Every `error.code` of a failure, each with its status in `ERROR_CODES`. */
  errors: readonly ErrorCode[];
}

/** Headers of the interface, and the two of ours that make a repeated request safe. */
export const HEADERS = {
  key: 'x-api-key',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotencySupported: 'idempotency-key-supported',
} as const;

/** Of an operation that is done once under the same key. Longer keys are refused, because they are stored. */
export const idempotent = taking(z.looseObject({ [HEADERS.idempotencyKey]: z.string().max(255).optional() }));

/** Where tasks and balances are. */
export const v1 = <const Name extends string>(endpoint: Name) => ({
  path: '/v1/index.php' as const,
  selector: { endpoint },
});

/** Where keys are. */
export const keyAction = <const Name extends string>(action: Name) => ({
  path: '/api.php' as const,
  selector: { action },
});

/** `endpoint=task_status`. */
export const operationName = ({ selector }: Operation): string =>
  Object.entries(selector)
    .map((pair) => pair.join('='))
    .join('&');
