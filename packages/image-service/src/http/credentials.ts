import { HEADERS } from '@darkroom/image-api';
import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import type { Account, KeyHolder } from '../accounts/key-holders.ts';
import type { Keys } from '../accounts/keys.ts';
import { ApiError } from '../api-error.ts';

/** Who sent the request, known by a login token or by a key. */
export type Caller = { account: Account; by: 'login token' } | { account: Account; by: 'key'; key: string };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const given = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

const field = (holder: unknown, name: string): string | undefined => text(given(holder, name));

const isLoginToken = (secret: string | undefined): boolean => secret?.startsWith('lt-') ?? false;

function bearer(request: FastifyRequest): string | undefined {
  return text(/^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]);
}

/** The key of a request. Of several, the first in the interface's order counts; no other is tried. */
function keyIn(request: FastifyRequest): string | undefined {
  return (
    text(request.headers[HEADERS.key]) ??
    bearer(request) ??
    field(request.query, 'api_key') ??
    field(request.body, 'api_key')
  );
}

/** Whose key the request carries; an API error where it carries none, or one that is not active. */
export async function requireKey(request: FastifyRequest, keys: Keys): Promise<KeyHolder> {
  const key = keyIn(request);
  if (!key) {
    throw new ApiError(
      'missing_api_key',
      'This needs an API key: send it as the header x-api-key, or as Authorization: Bearer.',
    );
  }
  return (await keys.resolve(key)) ?? refuseKey();
}

/** Whose login token the request carries: in the body, the query, or as Bearer. */
export async function requireLoginToken(request: FastifyRequest, accounts: Accounts): Promise<Account> {
  const token = loginTokenIn(request);
  if (!token) {
    throw new ApiError('missing_login_token', "This needs the account's login token, as token in the body.");
  }
  return (await accounts.findByLoginToken(token)) ?? refuseToken();
}

/** Who asks about keys: an account by its login token, or a key about itself. */
export async function requireCaller(
  request: FastifyRequest,
  { accounts, keys }: { accounts: Accounts; keys: Keys },
): Promise<Caller> {
  if (loginTokenIn(request))
    return { account: await requireLoginToken(request, accounts), by: 'login token' };
  const key = keyIn(request);
  if (!key) {
    throw new ApiError(
      'missing_login_token',
      "This needs the account's login token, as token in the body, or the key in question.",
    );
  }
  const holder = await keys.resolve(key);
  // Keys are lower case; callers may send them in any.
  return holder ? { account: holder.account, by: 'key', key: key.toLowerCase() } : refuseKey();
}

/** The key that a request is about, whoever sends it; an empty text where the field is there but empty. */
export function keyNamedIn(request: FastifyRequest): string | undefined {
  const bearing = bearer(request);
  return [
    given(request.body, 'api_key'),
    given(request.query, 'api_key'),
    request.headers[HEADERS.key],
    isLoginToken(bearing) ? undefined : bearing,
  ]
    .find((value) => typeof value === 'string')
    ?.trim();
}

function loginTokenIn(request: FastifyRequest): string | undefined {
  const bearing = bearer(request);
  return (
    field(request.body, 'token') ??
    field(request.query, 'token') ??
    (isLoginToken(bearing) ? bearing : undefined)
  );
}

function refuseKey(): never {
  throw new ApiError('invalid_api_key', 'This API key is not active. It may have been mistyped or revoked.');
}

function refuseToken(): never {
  throw new ApiError('invalid_login_token', 'This login token is unknown.');
}
