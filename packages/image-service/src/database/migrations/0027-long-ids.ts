import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Entries of the ledger are kept for ever, and an hourly allowance leaves a grant an hour: PostgreSQL counts both in 64
 * bits, as SQLite does. Each table is written anew once.
 */
export const longIds: Migration = {
  name: '0027-long-ids',

  async up(db, dialect) {
    if (dialect === 'sqlite') return;
    // In the order in which a submission takes them: one may be under way.
    await sql`lock table "grants", "entries" in access exclusive mode`.execute(db);
    await sql`alter table "entries" drop constraint "entries_grantId_fkey"`.execute(db);
    await sql`alter table "grants" alter column "id" type bigint`.execute(db);
    await sql`alter table "entries"
      alter column "id" type bigint,
      alter column "grantId" type bigint,
      add constraint "entries_grantId_fkey" foreign key ("grantId") references "grants" ("id")`.execute(db);
    await sql`alter sequence "grants_id_seq" as bigint`.execute(db);
    await sql`alter sequence "entries_id_seq" as bigint`.execute(db);
  },
};
