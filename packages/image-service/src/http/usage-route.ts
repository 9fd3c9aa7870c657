import { OPERATIONS } from '@darkroom/image-api/contract';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { toCredits } from '../ledger/credits.ts';
import { dateOf, dayOf, type findUsage } from '../ledger/usage.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

/** How many days are told, unless the caller says which. */
const DEFAULT_DAYS = 30;

const dayIn = (date: string | undefined): number | undefined =>
  date === undefined ? undefined : dayOf(Date.parse(date));

export interface UsageRoute {
  usageOf(which: { accountId: number; from: number; to: number }): ReturnType<typeof findUsage>;
  clock: Clock;
}

/** What the account had drawn, by day. */
export const usageRoute: FastifyPluginAsyncZod<UsageRoute> = async (app, { usageOf, clock }) => {
  app.route({
    ...routeOf(OPERATIONS.usage),
    handler: async (request) => {
      const { account } = callerOf(request);
      const last = dayIn(request.query.to) ?? dayOf(clock.now());
      const first = dayIn(request.query.from) ?? last - DEFAULT_DAYS + 1;
      const [from, to] = [Math.min(first, last), Math.max(first, last)];
      const days = await usageOf({ accountId: account.id, from, to });
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
