import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  currentKey,
  type GenerateKeyBody,
  type GetKeyBody,
  generatedKey,
  type RevokeKeyBody,
  revokedKeys,
} from '../../contract/api-key.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import { masked, tailOf } from '../accounts/secrets.ts';
import { Refusal } from '../refusal.ts';
import { answer, answers, OF_BODY } from './answer.ts';
import { keyNamedIn, requireCaller, requireLoginToken } from './credentials.ts';
import { at } from './operation.ts';
import { BY_KEY, BY_TOKEN, IN_BODY } from './security.ts';

/** A schema for every field of a body: loose, as callers send `null`, and in a query flags as text. */
type Fields<Body> = Record<keyof Body, z.ZodType>;

/** The codes of a caller that is neither an account nor a key. */
const OF_CALLER = ['missing_login_token', 'invalid_login_token', 'invalid_api_key'] as const;

const text = z.string().nullish();
const flag = z.union([z.stringbool(), z.boolean()]).nullish();
const generation = z.looseObject({ token: text } satisfies Fields<GenerateKeyBody>);
const reading = z.looseObject({ token: text, reveal: flag } satisfies Fields<GetKeyBody>);
const revocation = z.looseObject({ token: text, api_key: text, all: flag } satisfies Fields<RevokeKeyBody>);

/** Making, reading and revoking keys. */
export const keyRoutes: FastifyPluginAsyncZod<{ accounts: Accounts; keys: Keys }> = async (
  app,
  { accounts, keys },
) => {
  app.route({
    ...at(ENDPOINTS.generateKey),
    schema: {
      summary: 'Make a key',
      security: [...BY_TOKEN, IN_BODY],
      body: generation.nullish(),
      querystring: generation,
      response: answers(
        generatedKey,
        ...OF_BODY,
        'missing_login_token',
        'invalid_login_token',
        'too_many_keys',
        'rate_limited',
      ),
    },
    handler: async (request) => {
      const account = await requireLoginToken(request, accounts);
      return answer({ api_key: await keys.generate(account.id) });
    },
  });

  for (const method of ['GET', 'POST'] as const) {
    app.route({
      ...at({ ...ENDPOINTS.getKey, method }),
      schema: {
        summary: 'The newest active key',
        querystring: reading,
        ...(method === 'POST'
          ? {
              security: [...BY_KEY, ...BY_TOKEN, IN_BODY],
              body: reading.nullish(),
              response: answers(currentKey, 'key_unreadable', ...OF_CALLER, ...OF_BODY),
            }
          : {
              security: [...BY_KEY, ...BY_TOKEN],
              response: answers(currentKey, 'key_unreadable', ...OF_CALLER),
            }),
      },
      handler: async (request) => {
        const caller = await requireCaller(request, { accounts, keys });
        const asked: { reveal?: unknown } = { ...request.query, ...(request.body ?? {}) };
        const reveal = asked.reveal !== false;
        if (caller.by === 'login token')
          return answer({ api_key: await keys.current(caller.account.id, { reveal }) });
        return answer({ api_key: reveal ? caller.key : masked(tailOf(caller.key)) });
      },
    });
  }

  app.route({
    ...at(ENDPOINTS.revokeKey),
    schema: {
      summary: 'Revoke one key, or all',
      security: [...BY_KEY, ...BY_TOKEN, IN_BODY],
      body: revocation.nullish(),
      querystring: revocation,
      response: answers(revokedKeys, ...OF_CALLER, ...OF_BODY, 'key_forbidden'),
    },
    handler: async (request) => {
      const caller = await requireCaller(request, { accounts, keys });
      const named = keyNamedIn(request);
      const all = request.body?.all ?? request.query.all;
      if (named === '' || (named === undefined && all === false)) {
        throw new Refusal('invalid_request', 'Which key? Send it as api_key, or send all as true.', {
          details: { field: 'api_key' },
        });
      }
      if (caller.by === 'key' && (all || named?.toLowerCase() !== caller.key)) {
        throw new Refusal(
          'key_forbidden',
          'A key may revoke only itself. Send the login token to revoke another.',
        );
      }
      if (all && named !== undefined) {
        throw new Refusal('invalid_request', 'One key, or all? Send either api_key or all.', {
          details: { field: 'all' },
        });
      }
      return answer({ revoked: await keys.revoke(caller.account.id, named) });
    },
  });
};
