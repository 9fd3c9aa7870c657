import { addId } from './add-id.ts';
import type { Migration } from './migration.ts';

export const ledger: Migration = {
  name: '0002-ledger',

  async up(db, dialect) {
    await db.schema
      .createTable('grants')
      .$call(addId(dialect))
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('expiresAt', 'bigint')
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('remaining', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('grantsOfAccount').on('grants').column('accountId').execute();
    await db.schema
      .createTable('entries')
      .$call(addId(dialect))
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('grantId', 'integer', (column) => column.notNull().references('grants.id'))
      .addColumn('taskId', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('onceForEachTask', ['taskId', 'kind', 'grantId'])
      .execute();
    await db.schema.createIndex('entriesOfGrant').on('entries').column('grantId').execute();
  },
};
