import { OPERATIONS } from '@darkroom/image-api/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { toCredits } from '../ledger/credits.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

/** The credits of the account that the key belongs to. */
export const balanceRoute: FastifyPluginAsyncZod<{ ledger: Ledger }> = async (app, { ledger }) => {
  app.route({
    ...routeOf(OPERATIONS.balance),
    handler: async (request) => {
      const { account } = callerOf(request);
      return success({
        user_id: account.id,
        username: account.username,
        balance: toCredits(await ledger.balance(account.id)),
        currency: 'credits' as const,
      });
    },
  });
};
