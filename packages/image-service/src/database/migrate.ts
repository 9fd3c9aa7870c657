import { OperatorError } from '@darkroom/process';
import { type Kysely, sql } from 'kysely';
import { MIGRATIONS } from './migrations/index.ts';
import type { Dialect, Migration, MigrationDatabase } from './migrations/migration.ts';
import type { Tables } from './tables.ts';

/** Which migrations were made. */
const RECORDS = sql.table('kysely_migration');
/** Id of PostgreSQL's advisory lock. */
const LOCK = sql.lit(3_853_314_791_062_309_107n);

/** Whether nothing is left to migrate. Reads only, so that no start waits for a writer. */
export async function isUpToDate(db: MigrationDatabase, dialect: Dialect): Promise<boolean> {
  const { rows } = await (dialect === 'postgres'
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`
  ).execute(db);
  return rows.length > 0 && (await missingMigrations(db)).missing.length === 0;
}

/**
 * Brings the tables up to date, in one transaction that is also the lock: a process that is killed meanwhile leaves
 * nothing behind, and of several that start at once one migrates. Kysely's own migrator has neither on SQLite.
 * `beforeUpgrade` is called before a database that was in use is changed, with the name of the first missing
 * migration.
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: Dialect,
  { beforeUpgrade, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    await sql`create table if not exists ${RECORDS}
      ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`.execute(trx);
    const { made, missing } = await missingMigrations(trx, migrations);
    const [first] = missing;
    if (first && made > 0) await beforeUpgrade?.(first.name);
    for (const { name, up } of missing) {
      await up(trx, dialect);
      await sql`insert into ${RECORDS} ("name", "timestamp") values (${name}, ${new Date().toISOString()})`.execute(
        trx,
      );
    }
  });
}

interface MigrateOptions {
  beforeUpgrade?: (migration: string) => Promise<void>;
  /** All of them unless given. */
  migrations?: readonly Migration[];
}

/** Throws where a later version has migrated the database. */
async function missingMigrations(db: MigrationDatabase, migrations = MIGRATIONS) {
  const { rows } = await sql<{ name: string }>`select "name" from ${RECORDS}`.execute(db);
  const made = new Set(rows.map(({ name }) => name));
  const missing = migrations.filter(({ name }) => !made.has(name));
  const unknown = [...made].find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown !== undefined) {
    throw new OperatorError(
      `a later version of the service has changed its tables (${unknown}). Start that version, or restore a backup from before the upgrade.`,
    );
  }
  return { made: made.size, missing };
}
