import { DAY_MS } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';

/** The number of a day in UTC, as it is stored: days since the epoch. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
/** `2030-12-31` */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * What accounts had drawn on the days from `from` to `to`, oldest first; of all accounts together unless one is
 * given.
 */
export const findUsage = (
  db: ServiceDatabase,
  { accountId, from, to }: { accountId?: number | undefined; from: number; to: number },
) =>
  db
    .selectFrom('usage')
    .select('day')
    .select((eb) => [
      eb.fn.sum<number>('completed').as('completed'),
      eb.fn.sum<number>('failed').as('failed'),
      eb.fn.sum<number>('cost').as('cost'),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? 0))
    .groupBy('day')
    .orderBy('day')
    .execute();
