import type { Operation } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import type { Account, KeyHolder } from '../accounts/key-holders.ts';
import type { Keys } from '../accounts/keys.ts';
import { ApiError } from '../api-error.ts';
import type { ServiceLimits } from '../limits.ts';
import { rateLimited } from '../rate-limit.ts';
import { networkOf } from './connections.ts';
import { keyIn, keyInHead, loginTokenIn } from './credentials.ts';
import { createRateWindow } from './rate-window.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may ask; anybody where it is absent. */
    authentication?: Operation['auth'];
  }
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Who sent a request, known by a login token or by a key. */
type Caller =
  | { by: 'login token'; account: Account }
  | { by: 'key'; account: Account; key: string; holder: KeyHolder };

export interface Authentication {
  accounts: Accounts;
  keys: Keys;
  limits: ServiceLimits;
  clock: Clock;
}

/**
 * Finds out who sends each request before anything else is said about it: by a key in a header or the query before
 * its body is read, by what is in the body before the rest of the body is looked at.
 *
 * Those who fail are counted by their address, and only they are refused for it: behind one address there may be a
 * whole bot.
 */
export function authenticate(app: FastifyInstance, { accounts, keys, limits, clock }: Authentication): void {
  const countFailure = createRateWindow(clock);

  async function byLoginToken(token: string): Promise<Caller> {
    const account = await accounts.findByLoginToken(token);
    if (account) return { by: 'login token', account };
    throw new ApiError('invalid_login_token', 'This login token is unknown, or its time is over.');
  }

  async function byKey(key: string): Promise<Caller> {
    const holder = await keys.resolve(key);
    // Keys are lower case; callers may send them in any.
    if (holder) return { by: 'key', account: holder.account, key: key.toLowerCase(), holder };
    throw new ApiError(
      'invalid_api_key',
      'This API key is not active. It may have been mistyped or revoked.',
    );
  }

  function identify(request: FastifyRequest, auth: Operation['auth']): Promise<Caller> {
    const token = auth === 'key' ? undefined : loginTokenIn(request);
    if (token) return byLoginToken(token);
    const key = auth === 'login token' ? undefined : keyIn(request);
    return key ? byKey(key) : Promise.reject(missingCredentials(auth));
  }

  function refuse(request: FastifyRequest, error: unknown): unknown {
    if (!(error instanceof ApiError)) return error;
    const rateState = countFailure(networkOf(request.ip), limits.failuresPerMinute);
    if (rateState.allowed) return error;
    return rateLimited(
      `${error.message} From this address there were more than ${rateState.max} such requests in a minute.`,
      rateState,
    );
  }

  const check = (request: FastifyRequest, auth: Operation['auth'], done: (error?: Error) => void): void => {
    identify(request, auth).then(
      (caller) => {
        request.caller = caller;
        done();
      },
      // Fastify's type wants an `Error`; whatever was thrown is answered.
      (error: unknown) => done(refuse(request, error) as Error),
    );
  };

  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { authentication: auth, takesFile } = request.routeOptions.config;
    const known =
      request.method !== 'POST' || takesFile || (auth === 'key' && keyInHead(request) !== undefined);
    return auth && known ? check(request, auth, done) : done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { authentication: auth } = request.routeOptions.config;
    return auth && !request.caller ? check(request, auth, done) : done();
  });
}

/** The error for a request that says nothing about who sends it. */
export function missingCredentials(auth: Operation['auth']): ApiError {
  if (auth === 'key')
    return new ApiError(
      'missing_api_key',
      'This needs an API key: send it as the header x-api-key, or as Authorization: Bearer.',
    );
  const orKey = auth === 'login token' ? '' : ', or the key in question';
  return new ApiError(
    'missing_login_token',
    `This needs the account's login token, as token in the body${orKey}.`,
  );
}

export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('an operation was served without its caller being known');
  return caller;
}

export function holderOf(request: FastifyRequest): KeyHolder {
  const caller = callerOf(request);
  if (caller.by === 'key') return caller.holder;
  throw new Error('an operation for a key was served to a login token');
}
