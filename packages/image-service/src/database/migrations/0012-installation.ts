import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const installation: Migration = {
  name: '0012-installation',
  async up(db) {
    await db.schema.createTable('installation').addColumn('picturesProof', 'text').execute();
    await sql`insert into "installation" ("picturesProof") values (null)`.execute(db);
  },
};
