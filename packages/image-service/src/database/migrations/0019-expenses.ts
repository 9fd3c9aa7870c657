import type { Migration } from './migration.ts';

export const expenses: Migration = {
  name: '0019-expenses',

  async up(db) {
    await db.schema
      .createTable('expenses')
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('unit', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('onceForEachPeriod', ['period', 'unit'])
      .execute();
  },
};
