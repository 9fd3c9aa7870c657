import type { Migration } from './migration.ts';

export const usage: Migration = {
  name: '0009-usage',

  async up(db) {
    await db.schema
      .createTable('usage')
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('completed', 'integer', (column) => column.notNull())
      .addColumn('failed', 'integer', (column) => column.notNull())
      .addColumn('cost', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('onceForEachDay', ['accountId', 'day'])
      .execute();
    await db.schema.createIndex('entriesOfAccount').on('entries').columns(['accountId', 'id']).execute();
  },
};
