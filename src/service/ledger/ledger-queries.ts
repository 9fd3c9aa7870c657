import type { Selectable } from 'kysely';
import { compileOnce, type Slots } from '../database/compiled.ts';
import type { EntryTable } from '../database/tables.ts';

/** Keeps the account's credits to this transaction; whoever moves credits calls it before reading them. */
export const lockAccount = compileOnce((db, value: Slots<{ accountId: number }>) =>
  db
    .updateTable('accounts')
    .set((is) => ({ disabledAt: is.ref('disabledAt') }))
    .where('id', '=', value('accountId')),
);

/** The account's credits that have not expired. */
export const sumRemaining = compileOnce((db, value: Slots<{ accountId: number; now: number }>) =>
  db
    .selectFrom('grants')
    .select((is) => is.fn.coalesce(is.fn.sum<number>('remaining'), is.lit(0)).as('balance'))
    .where('accountId', '=', value('accountId'))
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', value('now'))])),
);

/** The account's credits in the order in which they are spent. */
export const findSpendable = compileOnce((db, value: Slots<{ accountId: number; now: number }>) =>
  db
    .selectFrom('grants')
    .select(['id', 'remaining'])
    .where('accountId', '=', value('accountId'))
    .where('remaining', '>', 0)
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', value('now'))]))
    .orderBy((is) => is('expiresAt', 'is', null))
    .orderBy('expiresAt')
    .orderBy('id'),
);

/** What was set aside for a task: an entry, below 0, for each grant that pays. */
export const findReserved = compileOnce((db, value: Slots<{ taskId: string }>) =>
  db
    .selectFrom('entries')
    .select(['accountId', 'grantId', 'amount'])
    .where('taskId', '=', value('taskId'))
    .where('kind', '=', 'reserve')
    .orderBy('grantId'),
);

export type NewEntry = Omit<Selectable<EntryTable>, 'id'>;

export const insertEntry = compileOnce((db, value: Slots<NewEntry>) =>
  db.insertInto('entries').values({
    accountId: value('accountId'),
    grantId: value('grantId'),
    taskId: value('taskId'),
    kind: value('kind'),
    amount: value('amount'),
    createdAt: value('createdAt'),
  }),
);

/** Changes what is left of a grant. */
export const changeRemaining = compileOnce((db, value: Slots<{ grantId: number; amount: number }>) =>
  db
    .updateTable('grants')
    .set((is) => ({ remaining: is('remaining', '+', value('amount')) }))
    .where('id', '=', value('grantId')),
);
