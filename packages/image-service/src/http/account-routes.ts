import { OPERATIONS } from '@darkroom/image-api/contract';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { toCredits } from '../ledger/credits.ts';
import { dateOf, dayOf } from '../ledger/days.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

/** How many days are told, unless the caller says which. */
const DEFAULT_DAYS = 30;

const dayIn = (date: string | undefined): number | undefined =>
  date === undefined ? undefined : dayOf(Date.parse(date));

/** The credits of the account that the key belongs to, and what it had drawn, by day. */
export const accountRoutes: FastifyPluginAsyncZod<{ ledger: Ledger; clock: Clock }> = async (
  app,
  { ledger, clock },
) => {
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

  app.route({
    ...routeOf(OPERATIONS.usage),
    handler: async (request) => {
      const { account } = callerOf(request);
      const last = dayIn(request.query.to) ?? dayOf(clock.now());
      const first = dayIn(request.query.from) ?? last - DEFAULT_DAYS + 1;
      const [from, to] = [Math.min(first, last), Math.max(first, last)];
      const days = await ledger.usage({ accountId: account.id, from, to });
      const sum = (amount: 'completed' | 'failed' | 'cost') =>
        days.reduce((total, day) => total + day[amount], 0);
      return success({
        days: days.map(({ day, completed, failed, cost }) => ({
          date: dateOf(day),
          completed,
          failed,
          cost: toCredits(cost),
        })),
        total: { completed: sum('completed'), failed: sum('failed'), cost: toCredits(sum('cost')) },
      });
    },
  });
};
