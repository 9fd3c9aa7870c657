import { HEADERS, OPERATIONS } from '@darkroom/image-api/contract';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Keys } from '../accounts/keys.ts';
import { masked, tailOf } from '../accounts/secrets.ts';
import { ApiError } from '../api-error.ts';
import { callerOf } from './authentication.ts';
import { keyNamedIn } from './credentials.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

export const keyRoutes: FastifyPluginAsyncZod<{ keys: Keys }> = async (app, { keys }) => {
  app.route({
    ...routeOf(OPERATIONS.generateKey),
    handler: async (request) => {
      const { account } = callerOf(request);
      const idempotencyKey = request.headers[HEADERS.idempotencyKey] || null;
      return success({ api_key: await keys.generate(account.id, idempotencyKey) });
    },
  });

  const readKey = async (request: FastifyRequest, reveal: boolean) => {
    const caller = callerOf(request);
    if (caller.by === 'login token')
      return success({ api_key: await keys.current(caller.account.id, { reveal }) });
    return success({ api_key: reveal ? caller.key : masked(tailOf(caller.key)) });
  };

  app.route({
    ...routeOf(OPERATIONS.getKeyByGet),
    handler: (request) => readKey(request, request.query.reveal !== false),
  });

  app.route({
    ...routeOf(OPERATIONS.getKey),
    handler: (request) => readKey(request, (request.body?.reveal ?? request.query.reveal) !== false),
  });

  app.route({
    ...routeOf(OPERATIONS.revokeKey),
    handler: async (request) => {
      const caller = callerOf(request);
      const named = keyNamedIn(request);
      const all = request.body?.all ?? request.query.all;
      if (!named && (named === '' || !all)) {
        throw new ApiError('key_unclear', 'Which key? Send it as api_key, or send all as true.', {
          details: { field: 'api_key' },
        });
      }
      if (caller.by === 'key' && (all || named?.toLowerCase() !== caller.key)) {
        throw new ApiError(
          'key_forbidden',
          'A key may revoke only itself. Send the login token to revoke another.',
        );
      }
      if (all && named !== undefined) {
        throw new ApiError('key_unclear', 'One key, or all? Send either api_key or all.', {
          details: { field: 'all' },
        });
      }
      const revoked = await keys.revoke(caller.account.id, named);
      if (named !== undefined && revoked === 0 && !(await keys.had(caller.account.id, named)))
        throw new ApiError('not_found', 'This account has no such key.', { details: { field: 'api_key' } });
      return success({ revoked });
    },
  });
};
