import { addId } from './add-id.ts';
import type { Migration } from './migration.ts';

export const accounts: Migration = {
  name: '0001-accounts',

  async up(db, dialect) {
    await db.schema
      .createTable('accounts')
      .$call(addId(dialect))
      .addColumn('username', 'text', (column) => column.notNull().unique())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('disabledAt', 'bigint')
      .execute();
    await db.schema
      .createTable('loginTokens')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('keys')
      .$call(addId(dialect))
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('tail', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('lastUsedAt', 'bigint')
      .addColumn('revokedAt', 'bigint')
      .addColumn('maxRunning', 'integer')
      .addColumn('maxWaiting', 'integer')
      .addColumn('maxPerMinute', 'integer')
      .execute();
    await db.schema.createIndex('keysOfAccount').on('keys').column('accountId').execute();
  },
};
