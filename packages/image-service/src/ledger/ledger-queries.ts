import type { Selectable } from 'kysely';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceTransaction } from '../database/database.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { EntryTable } from '../database/tables.ts';

/** Locks the account's credits until the transaction ends. To be called before credits are read in order to be changed. */
export async function lockAccount(trx: ServiceTransaction, account: { accountId: number }): Promise<void> {
  if (hasRowLocks(trx)) await lockRow(trx, account);
}

const lockRow = compileOnce((db, value: Placeholders<{ accountId: number }>) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', value('accountId'))
    // As an update would: rows that only refer to the account can be inserted meanwhile.
    .forNoKeyUpdate(),
);

/** The account's credits that have not expired. */
export const sumRemaining = compileOnce((db, value: Placeholders<{ accountId: number; now: number }>) =>
  db
    .selectFrom('grants')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('remaining'), eb.lit(0)).as('balance'))
    .where('accountId', '=', value('accountId'))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value('now'))])),
);

/** The account's credits in the order in which they are spent. */
export const findSpendable = compileOnce((db, value: Placeholders<{ accountId: number; now: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'remaining'])
    .where('accountId', '=', value('accountId'))
    .where('remaining', '>', 0)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value('now'))]))
    .orderBy((eb) => eb('expiresAt', 'is', null))
    .orderBy('expiresAt')
    .orderBy('id'),
);

/** The reservations of a task: for each grant that pays, an entry with a negative amount, in the order in which they are spent. */
export const findReserved = compileOnce((db, value: Placeholders<{ taskId: string }>) =>
  db
    .selectFrom('entries')
    .select(['accountId', 'grantId', 'amount'])
    .where('taskId', '=', value('taskId'))
    .where('kind', '=', 'reserve')
    .orderBy('id'),
);

export type NewEntry = Omit<Selectable<EntryTable>, 'id'>;

export const insertEntry = compileOnce((db, value: Placeholders<NewEntry>) =>
  db.insertInto('entries').values({
    accountId: value('accountId'),
    grantId: value('grantId'),
    taskId: value('taskId'),
    kind: value('kind'),
    amount: value('amount'),
    createdAt: value('createdAt'),
  }),
);

/** Adds to what is left of a grant. */
export const changeRemaining = compileOnce((db, value: Placeholders<{ grantId: number; amount: number }>) =>
  db
    .updateTable('grants')
    .set((eb) => ({ remaining: eb('remaining', '+', value('amount')) }))
    .where('id', '=', value('grantId')),
);
