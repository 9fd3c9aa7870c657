import { OPERATIONS } from '@darkroom/image-api';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Keys } from '../accounts/keys.ts';
import { type Ledger, toCredits } from '../ledger/ledger.ts';
import { requireKey } from './credentials.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

/** The credits of the account that the key belongs to. */
export const balanceRoute: FastifyPluginAsyncZod<{ keys: Keys; ledger: Ledger }> = async (
  app,
  { keys, ledger },
) => {
  app.route({
    ...routeOf(OPERATIONS.balance),
    handler: async (request) => {
      const { account } = await requireKey(request, keys);
      return success({
        user_id: account.id,
        username: account.username,
        balance: toCredits(await ledger.balance(account.id)),
        currency: 'credits' as const,
      });
    },
  });
};
