import { addId } from './add-id.ts';
import type { Migration } from './migration.ts';

export const allowances: Migration = {
  name: '0011-allowances',

  async up(db, dialect) {
    await db.schema
      .createTable('allowances')
      .$call(addId(dialect))
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('cap', 'bigint', (column) => column.notNull())
      .addColumn('periodMs', 'bigint', (column) => column.notNull())
      .addColumn('period', 'bigint', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('endedAt', 'bigint')
      .execute();
    await db.schema.createIndex('allowancesOfAccount').on('allowances').column('accountId').execute();
    await db.schema.alterTable('grants').addColumn('once', 'text').execute();
    await db.schema.alterTable('grants').addColumn('allowanceId', 'integer').execute();
    await db.schema
      .createIndex('grantsGivenOnce')
      .on('grants')
      .columns(['accountId', 'once'])
      .unique()
      .execute();
    await db.schema.createIndex('grantsOfAllowance').on('grants').column('allowanceId').execute();
  },
};
