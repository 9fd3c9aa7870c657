import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const keyHolders: Migration = {
  name: '0004-key-holders',

  async up(db) {
    await db.schema
      .createTable('keyHolders')
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into ${sql.table('keyHolders')} ("version") values (0)`.execute(db);
  },
};
