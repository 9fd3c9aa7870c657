import type { Migration } from './migration.ts';

/** Pictures that accounts bring, for others to be made of. */
export const uploads: Migration = {
  name: '0022-uploads',

  async up(db) {
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'integer', (column) => column.notNull().references('accounts.id'))
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('uses', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'bigint', (column) => column.notNull())
      .addColumn('writtenAt', 'bigint')
      .addColumn('expiresAt', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('uploadsOfAccount').on('uploads').columns(['accountId', 'sha256']).execute();
    await db.schema.createIndex('uploadsByExpiry').on('uploads').column('expiresAt').execute();
  },
};
