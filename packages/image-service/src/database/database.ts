import { messageOf, OperatorError } from '@darkroom/process';
import {
  connectPostgres,
  openSqlite,
  type Postgres,
  type PostgresOptions,
  sqlitePath,
} from '@darkroom/storage';
import {
  Kysely,
  Migrator,
  PostgresDialect,
  type PostgresPool,
  type SqliteDatabase,
  SqliteDialect,
  type Transaction,
} from 'kysely';
import { type Dialect, migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits while another process writes. */
const BUSY_TIMEOUT_MS = 5_000;

export type ServiceDatabase = Kysely<Tables>;
export type ServiceTransaction = Transaction<Tables>;

/**
 * Opens the database behind `url` (`sqlite://path/to/file.sqlite` or `postgres://user@host/name`) and brings its tables
 * up to date. The same tables and queries serve both. Throws `OperatorError` where that cannot be done.
 */
export async function openDatabase(url: string, options?: PostgresOptions): Promise<ServiceDatabase> {
  const path = sqlitePath(url);
  try {
    const dialect =
      path === undefined
        ? new PostgresDialect({ pool: poolOf(connectPostgres(url, options)) })
        : new SqliteDialect({ database: connectSqlite(path) });
    const db = new Kysely<Tables>({ dialect });
    await migrate(db, path === undefined ? 'postgres' : 'sqlite');
    return db;
  } catch (error) {
    // Without the URL, which may contain a password.
    throw new OperatorError(`The service cannot open its database: ${messageOf(error)}`, { cause: error });
  }
}

const poolOf = ({ connect, end }: Postgres): PostgresPool => ({
  async connect() {
    const connection = await connect();
    // Kysely's type also has queries with a cursor. It makes none, as it is given no cursor.
    return { ...connection, query: connection.query as never };
  },
  end,
});

function connectSqlite(path: string): SqliteDatabase {
  const sqlite = openSqlite(path, { timeoutMs: BUSY_TIMEOUT_MS });
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return {
    // With Kysely's plain `begin`, a transaction that reads first fails at its first write if another process has written since.
    prepare: (sql) => sqlite.prepare(sql === 'begin' ? 'begin immediate' : sql),
    close: () => sqlite.close(),
  };
}

async function migrate(db: ServiceDatabase, dialect: Dialect): Promise<void> {
  const all = migrations(dialect);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  await db.destroy();
  throw error;
}
