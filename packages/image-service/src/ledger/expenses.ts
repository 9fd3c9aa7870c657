import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { sql } from 'kysely';
import type { ServiceDatabase } from '../database/database.ts';
import { DrawingError, type Expense, type Unavailable } from '../engines/engine.ts';
import type { Budget } from './budget.ts';
import { dateOf, dayOf } from './days.ts';

/** How much of a budget is spent in the present period. */
export interface BudgetReading {
  period: Period;
  spent: number;
  budget: number;
  isNearlySpent: boolean;
}

/** In the order in which their rows are changed, so that nobody waits for somebody who waits for them. */
const PERIODS = ['month', 'day'] as const;
type Period = (typeof PERIODS)[number];
const SAYS: Readonly<Record<Period, string>> = { day: 'today', month: 'this month' };

/** Amounts are whole millionths, as a picture may cost a tenth of a cent. */
const MICRO = 1_000_000;
const micro = (amount: number): number => Math.round(amount * MICRO);
/** More than this is not believed of one expense, and thousands of these still sum up exactly. */
const MAX_AMOUNT = 1_000_000;
/** From four fifths of a budget on it is warned of. */
const isNearly = (spent: number, most: number): boolean => 5 * spent >= 4 * micro(most);

export type Expenses = ReturnType<typeof createExpenses>;

/**
 * What engines cost the operator. It is written down before it can arise, in the row of its month and that of its
 * day: whoever adds to the month waits for all who do, in any process, so that together they never exceed the budget.
 * A process or a database that is lost in between leaves too much written down, and never too little.
 */
export function createExpenses({
  db,
  budget: limits = {},
  clock,
  log,
}: {
  db: ServiceDatabase;
  /** In money; without it everything is written down, and nothing refused. */
  budget?: Budget | undefined;
  clock: Clock;
  /** Hears of a budget that is nearly spent. */
  log?: Log;
}) {
  /** The names of the present periods. */
  function presentPeriods(): Record<Period, string> {
    const day = dateOf(dayOf(clock.now()));
    return { month: day.slice(0, 7), day };
  }

  async function readings(): Promise<BudgetReading[]> {
    // Asked before every picture that costs money.
    if (PERIODS.every((period) => limits[period] === undefined)) return [];
    const names = presentPeriods();
    const rows = await db
      .selectFrom('expenses')
      .select(['period', 'amount'])
      .where('unit', '=', 'money')
      .where('period', 'in', Object.values(names))
      .execute();
    return PERIODS.flatMap((period) => {
      const amount = rows.find((row) => row.period === names[period])?.amount ?? 0;
      const most = limits[period];
      if (most === undefined) return [];
      return [{ period, spent: amount / MICRO, budget: most, isNearlySpent: isNearly(amount, most) }];
    });
  }

  /** Tells once, whichever process it is, that a budget is nearly spent. */
  function warn(period: Period, before: number, after: number): void {
    const most = limits[period];
    if (most === undefined) return;
    if (!isNearly(before, most) && isNearly(after, most))
      log?.warn(
        { spent: after / MICRO, budget: most },
        `four fifths of SERVICE_BUDGET are spent ${SAYS[period]}. Beyond it nothing is drawn that costs money`,
      );
  }

  return {
    /**
     * Writes an expense down; resolves with how to take it back where it did not arise, which rejects only while it
     * certainly has not been. Rejects with a `DrawingError` where the budget has no room for it.
     */
    async spend({ unit, amount }: Expense): Promise<() => Promise<void>> {
      const added = micro(Math.min(amount, MAX_AMOUNT));
      const names = presentPeriods();
      const sums = await db.transaction().execute(async (trx) => {
        const found: { period: Period; after: number }[] = [];
        for (const period of PERIODS) {
          const { amount: after } = await trx
            .insertInto('expenses')
            .values({ period: names[period], unit, amount: added })
            .onConflict((conflict) =>
              conflict
                .columns(['period', 'unit'])
                .doUpdateSet((eb) => ({ amount: eb('expenses.amount', '+', added) })),
            )
            .returning('amount')
            .executeTakeFirstOrThrow();
          const most = unit === 'money' ? limits[period] : undefined;
          if (most !== undefined && after > micro(most)) throw new DrawingError(usedUp(period));
          found.push({ period, after });
        }
        return found;
      });
      if (unit === 'money') for (const { period, after } of sums) warn(period, after - added, after);
      const takeBack = () =>
        db.transaction().execute(async (trx) => {
          for (const period of PERIODS)
            await trx
              .updateTable('expenses')
              .set((eb) => ({ amount: eb('amount', '-', added) }))
              .where('period', '=', names[period])
              .where('unit', '=', unit)
              .execute();
        });
      return () =>
        takeBack().catch((error: unknown) => {
          const mayBeDone = error instanceof DatabaseUnavailable && !error.untouched;
          if (!mayBeDone) throw error;
        });
    },

    /** Why something that costs so much money is not drawn now; undefined where it may be. */
    async noRoomFor(cost: number): Promise<Unavailable | undefined> {
      for (const { period, spent, budget: most } of await readings()) {
        if (micro(spent + cost) <= micro(most)) continue;
        return { reason: usedUp(period), retryAfterMs: endOf(period, clock.now()) - clock.now() };
      }
      return undefined;
    },

    readings,

    /** What engines have cost by day, of those from `from` to `to` (see `dayOf`). */
    async byDay({ from, to }: { from: number; to: number }) {
      const rows = await db
        .selectFrom('expenses')
        .select(['period', 'unit', 'amount'])
        .where('period', '>=', dateOf(from))
        .where('period', '<=', dateOf(to))
        .where(sql`length("period")`, '=', dateOf(to).length)
        .where('amount', '>', 0)
        .orderBy('period')
        .orderBy('unit')
        .execute();
      return rows.map(({ period, unit, amount }) => ({ day: period, unit, amount: amount / MICRO }));
    },
  };
}

const usedUp = (period: Period): string =>
  `What this service may spend on pictures is used up ${SAYS[period]}.`;

function endOf(period: Period, ms: number): number {
  const date = new Date(ms);
  return period === 'day'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
