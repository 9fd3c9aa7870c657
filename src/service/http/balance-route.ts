import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { balance } from '../../contract/balance.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Keys } from '../accounts/keys.ts';
import { type Ledger, toCredits } from '../ledger/ledger.ts';
import { answer, answers, OF_KEY } from './answer.ts';
import { requireKey } from './credentials.ts';
import { at } from './operation.ts';

/** The credits of the account that the key belongs to. */
export const balanceRoute: FastifyPluginAsyncZod<{ keys: Keys; ledger: Ledger }> = async (
  app,
  { keys, ledger },
) => {
  app.route({
    ...at(ENDPOINTS.balance),
    schema: { summary: "The account's credits", response: answers(balance, ...OF_KEY) },
    handler: async (request) => {
      const { account } = await requireKey(request, keys);
      return answer({
        user_id: account.id,
        username: account.username,
        balance: toCredits(await ledger.balance(account.id)),
        currency: 'credits' as const,
      });
    },
  });
};
