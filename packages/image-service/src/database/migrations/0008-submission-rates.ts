import type { Migration } from './migration.ts';

/** How many submissions were accepted in the minute that an account, or a key with a limit of its own, is in. */
export const submissionRates: Migration = {
  name: '0008-submission-rates',

  async up(db) {
    await db.schema
      .createTable('submissionRates')
      .addColumn('accountId', 'integer', (column) => column.notNull())
      .addColumn('keyId', 'integer', (column) => column.notNull())
      .addColumn('startedAt', 'bigint', (column) => column.notNull())
      .addColumn('used', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('onceForEachHolder', ['accountId', 'keyId'])
      .execute();
  },
};
