import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const webhooks: Migration = {
  name: '0010-webhooks',

  async up(db) {
    await db.schema
      .createTable('webhookSecrets')
      .addColumn('accountId', 'integer', (column) => column.primaryKey().references('accounts.id'))
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('previous', 'text')
      .execute();
    await db.schema
      .createTable('webhooks')
      .addColumn('taskId', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('sealedUrl', 'text', (column) => column.notNull())
      .addColumn('dueAt', 'bigint')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('webhooksByDue')
      .on('webhooks')
      .column('dueAt')
      .where(sql.ref('dueAt'), 'is not', null)
      .execute();
    await db.schema.createIndex('webhooksOfAccount').on('webhooks').column('accountId').execute();
  },
};
