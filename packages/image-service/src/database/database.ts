import { messageOf, OperatorError } from '@darkroom/process';
import { connectPostgres, type Postgres, type PostgresOptions, sqlitePath } from '@darkroom/storage';
import { Kysely, PostgresDialect, type PostgresPool, SqliteDialect, type Transaction } from 'kysely';
import { isUpToDate, migrate } from './migrate.ts';
import { connectSqlite, copySqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** How long PostgreSQL works on one statement of a migration: a new index on a large table takes minutes. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

export type ServiceDatabase = Kysely<Tables>;
export type ServiceTransaction = Transaction<Tables>;

/**
 * Opens the database behind `url` (`sqlite://path/to/file.sqlite` or `postgres://user@host/name`) and brings its tables
 * up to date. The same tables and queries serve both. Throws `OperatorError` where that cannot be done.
 */
export async function openDatabase(url: string, options?: PostgresOptions): Promise<ServiceDatabase> {
  try {
    const path = sqlitePath(url);
    return await (path === undefined ? openPostgres(url, options) : openSqliteFile(path));
  } catch (error) {
    // Without the URL, which may contain a password.
    throw new OperatorError(`The service cannot open its database: ${messageOf(error)}`, { cause: error });
  }
}

async function openSqliteFile(path: string): Promise<ServiceDatabase> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: await connectSqlite(path) }) });
  return closedOnError(db, async () => {
    if (await isUpToDate(db, 'sqlite')) return;
    await migrate(db, 'sqlite', {
      beforeUpgrade: (migration) => copySqlite(path, `${path}.before-${migration}`),
    });
  });
}

async function openPostgres(url: string, options?: PostgresOptions): Promise<ServiceDatabase> {
  const connect = (own?: PostgresOptions) =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: poolOf(connectPostgres(url, { ...options, ...own })) }),
    });
  const db = connect();
  return closedOnError(db, async () => {
    if (await isUpToDate(db, 'postgres')) return;
    const patient = connect({ statementTimeoutMs: MIGRATION_TIMEOUT_MS });
    await migrate(patient, 'postgres').finally(() => patient.destroy());
  });
}

async function closedOnError(db: ServiceDatabase, work: () => Promise<void>): Promise<ServiceDatabase> {
  try {
    await work();
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
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
