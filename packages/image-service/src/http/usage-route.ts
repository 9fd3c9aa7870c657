import { OPERATIONS } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { toCredits } from '../ledger/ledger.ts';
import { dateOf, dayOf, type findUsage } from '../ledger/usage.ts';
import { callerOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';

/** How many days are told, unless the caller says which, and at most. */
const DAYS = { default: 30, max: 366 };

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
      const { from: first, to: last } = request.query;
      const to = last === undefined ? dayOf(clock.now()) : dayOf(Date.parse(last));
      const from = first === undefined ? to - DAYS.default + 1 : dayOf(Date.parse(first));
      if (from > to) {
        throw new ApiError('invalid_request', 'from must not be after to.', {
          details: { field: 'from', received: first ?? dateOf(from) },
        });
      }
      if (to - from >= DAYS.max) {
        throw new ApiError('parameter_out_of_range', `from must be at most ${DAYS.max} days before to.`, {
          details: { field: 'from', max: DAYS.max, received: to - from + 1 },
        });
      }
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
