import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { currentKey, generatedKey, revokedKeys } from '../../contract/api-key.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import { Refusal } from '../refusal.ts';
import { answer, answers } from './answer.ts';
import { keyNamedIn, requireCaller, requireLoginToken } from './credentials.ts';
import { at } from './operation.ts';

const withToken = z.looseObject({ token: z.string().nullish() });
/** In the body, or as text in the query. */
const flag = z.union([z.stringbool(), z.boolean()]).nullish();
/** `reveal: false` asks for the key with only its last characters readable. */
const reading = withToken.extend({ reveal: flag });
const revocation = withToken.extend({ api_key: z.string().nullish(), all: flag });

/** Making, reading and revoking keys. */
export const keyRoutes: FastifyPluginAsyncZod<{ accounts: Accounts; keys: Keys }> = async (
  app,
  { accounts, keys },
) => {
  app.route({
    ...at(ENDPOINTS.generateKey),
    schema: {
      summary: 'Make a key',
      security: [],
      body: withToken.nullish(),
      querystring: withToken,
      response: answers(generatedKey),
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
        ...(method === 'POST' && { body: reading.nullish() }),
        response: answers(currentKey),
      },
      handler: async (request) => {
        const caller = await requireCaller(request, { accounts, keys });
        const key = caller.by === 'key' ? caller.key : await keys.current(caller.account.id);
        const asked: { reveal?: unknown } = { ...request.query, ...(request.body ?? {}) };
        return answer({ api_key: key && asked.reveal === false ? mask(key) : key });
      },
    });
  }

  app.route({
    ...at(ENDPOINTS.revokeKey),
    schema: {
      summary: 'Revoke one key, or all',
      body: revocation.nullish(),
      querystring: revocation,
      response: answers(revokedKeys),
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
      if (caller.by === 'key' && (all || named?.toLowerCase() !== caller.key.toLowerCase())) {
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

const mask = (key: string): string => `sk-…${key.slice(-4)}`;
