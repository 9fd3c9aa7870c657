import { type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceTransaction } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { EntryTable } from '../database/tables.ts';
import { withIds } from '../database/with-ids.ts';
import { withRows } from '../database/with-rows.ts';

/**
 * Locks the credits of accounts until the transaction ends. To be called before credits are read in order to be
 * changed. In the order of their ids, so that those who lock several of them cannot deadlock.
 */
export async function lockAccounts(trx: ServiceTransaction, ids: readonly number[]): Promise<void> {
  if (hasRowLocks(trx)) await lockRows(trx, ids, {});
}

const lockRows = withIds((db, ids: number[]) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    // As an update would: rows that only refer to the account can be inserted meanwhile.
    .forNoKeyUpdate(),
);

/** Of grants. Written out, so that it is seen to be what their indexes have. */
export const somethingLeft = sql<boolean>`"remaining" > 0`;

/** The account's credits that have not expired. */
export const sumRemaining = compileOnce((db, value: Placeholders<{ accountId: number; now: number }>) =>
  db
    .selectFrom('grants')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('remaining'), eb.lit(0)).as('balance'))
    .where('accountId', '=', value('accountId'))
    .where(somethingLeft)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value('now'))])),
);

/**
 * The credits of accounts in the order in which they are spent: what is lost by waiting before the rest. What an
 * allowance gave does not expire, but where its cap is reached the next period gives nothing.
 */
export const findSpendable = withIds((db, accountIds: number[], value: Placeholders<{ now: number }>) =>
  db
    .selectFrom('grants')
    .select(['accountId', 'id as grantId', 'remaining'])
    .where('accountId', 'in', accountIds)
    .where(somethingLeft)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value('now'))]))
    .orderBy((eb) => eb('expiresAt', 'is', null))
    .orderBy('expiresAt')
    .orderBy((eb) => eb('allowanceId', 'is', null))
    .orderBy('id'),
);

/**
 * The reservations of a task: for each grant that pays, an entry with a negative amount, in the order in which they
 * are spent.
 */
export const findReserved = compileOnce((db, value: Placeholders<{ taskId: string }>) =>
  db
    .selectFrom('entries')
    .select(['accountId', 'grantId', 'amount'])
    .where('taskId', '=', value('taskId'))
    .where('kind', '=', 'reserve')
    .orderBy('id'),
);

/** By how much what is left of all that an allowance gave exceeds its cap; nothing where none gave that grant. */
export const findBeyondCap = compileOnce((db, value: Placeholders<{ grantId: number }>) =>
  db
    .selectFrom('grants as given')
    .innerJoin('allowances', 'allowances.id', 'given.allowanceId')
    .innerJoin('grants', 'grants.allowanceId', 'allowances.id')
    .select((eb) => eb(eb.fn.sum<number>('grants.remaining'), '-', eb.ref('allowances.cap')).as('beyond'))
    .where('given.id', '=', value('grantId'))
    // Of an hourly allowance thousands of grants are spent; those that are not have an index.
    .where(sql<boolean>`"grants"."remaining" > 0`)
    .groupBy('allowances.cap'),
);

export type NewEntry = Omit<Selectable<EntryTable>, 'id'>;

export const insertEntries = withRows(
  { accountId: true, grantId: true, taskId: true, kind: true, amount: true, createdAt: true },
  (db, entries: NewEntry[]) => db.insertInto('entries').values(entries),
);

/** Adds to what is left of grants, of which each is named once. */
export const changeRemaining = withRows(
  { grantId: true, amount: true },
  (db, grants: Pick<NewEntry, 'grantId' | 'amount'>[]) => {
    const changes = sql.join(
      grants.map(({ grantId, amount }) => sql`when ${grantId} then cast(${amount} as bigint)`),
      sql` `,
    );
    return db
      .updateTable('grants')
      .set({ remaining: sql<number>`"remaining" + case "id" ${changes} end` })
      .where(
        'id',
        'in',
        grants.map(({ grantId }) => grantId),
      );
  },
);
