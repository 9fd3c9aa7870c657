import type { Clock } from '@darkroom/time';
import type { Selectable } from 'kysely';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import type { AllowanceTable } from '../database/tables.ts';
import { addGrant } from './grant.ts';
import { lockAccounts, somethingLeft } from './ledger-queries.ts';
import { PERIODS_MS, type Period } from './periods.ts';

export type Allowances = ReturnType<typeof createAllowances>;

type Due = Pick<
  Selectable<AllowanceTable>,
  'id' | 'accountId' | 'amount' | 'cap' | 'periodMs' | 'period' | 'note'
>;

/**
 * Credits that accounts get again every hour or day. What a period gives is a grant of its own. The period is written
 * down in the same transaction, where it has not been yet: so each gives once, however many processes look. Periods
 * in which no process ran are made up for, within the cap.
 */
export function createAllowances({ db, clock }: { db: ServiceDatabase; clock: Clock }) {
  /** What is left of all that an allowance gave. */
  async function leftOf(trx: ServiceTransaction, allowanceId: number): Promise<number> {
    const { left } = await trx
      .selectFrom('grants')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('remaining'), eb.lit(0)).as('left'))
      .where('allowanceId', '=', allowanceId)
      .where(somethingLeft)
      .executeTakeFirstOrThrow();
    return left;
  }

  /** Gives for the periods since the last; nothing where another process has. */
  const give = ({ id, accountId, amount, cap, periodMs, period: last, note }: Due): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await lockAccounts(trx, [accountId]);
      const now = clock.now();
      const period = Math.floor(now / periodMs);
      // The clock may have been set back since it was found to be due.
      if (period <= last) return;
      const { numUpdatedRows } = await trx
        .updateTable('allowances')
        .set({ period })
        .where('id', '=', id)
        .where('period', '=', last)
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const given = Math.min(amount * (period - last), cap - (await leftOf(trx, id)));
      if (given > 0) await addGrant(trx, { accountId, amount: given, note, allowanceId: id }, now);
    });

  /** Those that are due, one by one until `signal` aborts. */
  async function giveAll(signal?: AbortSignal): Promise<void> {
    const now = clock.now();
    const due = await db
      .selectFrom('allowances')
      .select(['id', 'accountId', 'amount', 'cap', 'periodMs', 'period', 'note'])
      .where('endedAt', 'is', null)
      .where((eb) => eb(eb('period', '+', 1), '<=', eb(eb.val(now), '/', eb.ref('periodMs'))))
      .execute();
    for (const allowance of due) if (!signal?.aborted) await give(allowance);
  }

  return {
    /** Gives the first period's credits at once; returns its id. */
    async add({
      accountId,
      amount,
      cap,
      every,
      note,
    }: Pick<AllowanceTable, 'accountId' | 'amount' | 'cap' | 'note'> & { every: Period }): Promise<number> {
      const periodMs = PERIODS_MS[every];
      const now = clock.now();
      const period = Math.floor(now / periodMs) - 1;
      const { id } = await db
        .insertInto('allowances')
        .values({ accountId, amount, cap, periodMs, period, note, createdAt: now, endedAt: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      await give({ id, accountId, amount, cap, periodMs, period, note });
      return id;
    },

    give: giveAll,

    /** Those of an account that have not ended. */
    list: (accountId: number) =>
      db
        .selectFrom('allowances')
        .select(['id', 'amount', 'cap', 'periodMs', 'note', 'createdAt'])
        .where('accountId', '=', accountId)
        .where('endedAt', 'is', null)
        .orderBy('id')
        .execute(),

    /** Ends one; what it gave stays. False where the account has no such allowance. */
    async end(accountId: number, id: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('allowances')
        .set({ endedAt: clock.now() })
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
