import { z } from 'zod';
import { ANY_REQUEST_ERRORS, BODY_ERRORS, TOKEN_ERRORS } from './error-codes.ts';
import { looseNumber, looseText } from './loose.ts';
import { idempotent, keyAction, type Operation } from './operation.ts';
import { type Schema, schema, taking } from './schema.ts';

/** A key: `sk-` and 48 hexadecimal characters. */
export const apiKey = z.string().regex(/^sk-[0-9a-f]{48}$/i);

/** A key with only its last four characters readable. */
const maskedKey = z.string().regex(/^sk-…[0-9a-f]{4}$/i);

const keyFields = z.looseObject({ api_key: looseText, key: looseText });

/** A key as it is read: text, under `api_key` or `key`, in a list of which the first counts; masked, or absent. */
const readKey: Schema<CurrentKey> = z.unknown().transform((data) => {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  const { api_key, key } = keyFields.safeParse(first).data ?? { api_key: looseText.parse(first) };
  const shown = api_key ?? key;
  return shown !== undefined && /[*\u2022\u2026]|\.\.\./.test(shown) ? { masked: shown } : { apiKey: shown };
});
/** The key, or where the service shows only a part of it, that part as `masked`. */
export interface CurrentKey {
  apiKey?: string | undefined;
  masked?: string | undefined;
}

/** Callers send `null` for what is absent. */
const text = z.string().nullish();

/** In a query flags are text: these words, which `stringbool` reads. */
const WORDS = ['true', '1', 'yes', 'on', 'y', 'enabled', 'false', '0', 'no', 'off', 'n', 'disabled'];
const flag = z.union([z.stringbool().meta({ enum: WORDS }), z.boolean()]);
const inQuery = flag.optional();
const inBody = flag.nullish();

const CALLER_ERRORS = [...TOKEN_ERRORS, 'invalid_api_key'] as const;

/** The account is the login token's. */
const generation = taking(z.looseObject({ token: text }));
export const generateKey = {
  method: 'POST',
  ...keyAction('generate_api_key'),
  tag: 'keys',
  summary: 'Make a key',
  description: 'With the same `Idempotency-Key` the same key, while it is active and nobody has used it.',
  auth: 'login token',
  headers: idempotent,
  query: generation,
  body: taking(generation.nullish()),
  leadsTo: { revokeKey: { api_key: 'api_key' } },
  answer: {
    sent: schema(z.object({ api_key: apiKey })),
    read: schema(readKey.pipe(z.object({ apiKey: z.string() }))),
  },
  errors: [...ANY_REQUEST_ERRORS, ...BODY_ERRORS, ...TOKEN_ERRORS, 'parameter_out_of_range', 'too_many_keys'],
} as const satisfies Operation;

/** With `reveal: false` the answer is the key with only its last characters readable. */
const keyReading = taking(z.looseObject({ token: text, reveal: inQuery }));
/** The interface does not show how this is asked: POST, with the login token or the key itself, is ours. */
export const getKey = {
  method: 'POST',
  ...keyAction('get_api_key'),
  tag: 'keys',
  summary: 'The newest active key',
  auth: 'key or login token',
  query: keyReading,
  body: taking(z.looseObject({ token: text, reveal: inBody }).nullish()),
  answer: { sent: schema(z.object({ api_key: z.union([apiKey, maskedKey]).nullable() })), read: readKey },
  errors: [...ANY_REQUEST_ERRORS, 'key_unreadable', ...CALLER_ERRORS, ...BODY_ERRORS],
} as const satisfies Operation;

/** The same for who reads by GET. */
export const getKeyByGet = {
  method: 'GET',
  ...keyAction('get_api_key'),
  tag: 'keys',
  summary: getKey.summary,
  auth: getKey.auth,
  query: keyReading,
  answer: getKey.answer,
  errors: [...ANY_REQUEST_ERRORS, 'key_unreadable', ...CALLER_ERRORS],
} as const satisfies Operation;

/** One key, or `all` that are active. */
const revocation = taking(z.looseObject({ token: text, api_key: text, all: inQuery }));
/** The interface does not show how this is asked; this is ours. `revoked` says how many keys ceased to be active. */
export const revokeKey = {
  method: 'POST',
  ...keyAction('revoke_api_key'),
  tag: 'keys',
  summary: 'Revoke one key, or all',
  auth: 'key or login token',
  query: revocation,
  body: taking(z.looseObject({ token: text, api_key: text, all: inBody }).nullish()),
  answer: {
    sent: schema(z.object({ revoked: z.int() })),
    read: schema(
      z
        .looseObject({ revoked: looseNumber })
        .nullish()
        .transform((data) => ({ revoked: data?.revoked })),
    ),
  },
  errors: [
    ...ANY_REQUEST_ERRORS,
    ...CALLER_ERRORS,
    ...BODY_ERRORS,
    'key_forbidden',
    'key_unclear',
    'not_found',
  ],
} as const satisfies Operation;
