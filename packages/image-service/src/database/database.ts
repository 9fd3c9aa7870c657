import { resolve } from 'node:path';
import { messageOf, OperatorError } from '@darkroom/process';
import { backUpSqlite, DatabaseUnavailable, sqlitePath } from '@darkroom/storage';
import type { Postgres, PostgresOptions } from '@darkroom/storage/postgres';
import { HOUR_MS } from '@darkroom/time';
import { Kysely, type KyselyConfig, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import { isUpToDate, type MigrateOptions, migrate } from './migrate.ts';
import type { Dialect } from './migrations/migration.ts';
import { connectSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits while another process writes to the SQLite file. */
const LOCK_TIMEOUT_MS = 5_000;
/**
 * How long a statement of a migration may take, and others wait for it: a new index on a large table takes minutes, and
 * to write one of hundreds of millions of rows anew half an hour.
 */
export const MIGRATION_TIMEOUT_MS = HOUR_MS;

interface DatabaseOptions extends PostgresOptions {
  /** Hears of every statement: its kind (`select`, `insert`, …), whether it failed, and how long it took. */
  onStatement?: ((kind: string, result: 'ok' | 'failed', ms: number) => void) | undefined;
}

export type ServiceDatabase = Kysely<Tables>;
export type ServiceTransaction = Transaction<Tables>;

/**
 * Opens the database behind `url` (`sqlite://path/to/file.sqlite` or `postgres://user@host/name`) and brings its
 * tables up to date. The same tables and queries serve both. Throws `OperatorError` where that cannot be done.
 */
export async function openDatabase(url: string, options?: DatabaseOptions): Promise<ServiceDatabase> {
  try {
    const path = sqlitePath(url);
    return await (path === undefined ? openPostgres(url, options) : openSqliteFile(path, options));
  } catch (error) {
    throw unusable(url, error);
  }
}

/** The same for who only looks at a database that is there: `isReady` tells whether its tables are up to date. */
export async function openToLook(url: string): Promise<{ db: ServiceDatabase; isReady: boolean }> {
  try {
    const path = sqlitePath(url);
    const db =
      path === undefined
        ? await connectToPostgres(url)
        : new Kysely<Tables>({
            dialect: await connectSqlite(path, { lockTimeoutMs: LOCK_TIMEOUT_MS }),
          });
    try {
      return { db, isReady: await isUpToDate(db, path === undefined ? 'postgres' : 'sqlite') };
    } catch (error) {
      await db.destroy();
      throw error;
    }
  } catch (error) {
    throw unusable(url, error);
  }
}

/** What the operator is told of an error that leaves the database behind `url` useless. */
function unusable(url: string, cause: unknown): OperatorError {
  const advice =
    cause instanceof OperatorError
      ? ''
      : '. Check that it is there, can be written and has room, and SERVICE_DATABASE_URL.';
  return new OperatorError(
    `The service cannot use its database ${databaseName(url)}: ${messageOf(cause)}${advice}`,
    { cause },
  );
}

/** What `work` does on the database behind `url`. Rejects with an `OperatorError` where that becomes unavailable. */
export const onDatabase = <Result>(url: string, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? unusable(url, error) : error;
  });

/** A database as people read it: the whole path of its file, or its host and name, without user and password. */
export function databaseName(url: string): string {
  const path = sqlitePath(url);
  if (path !== undefined) return resolve(path);
  const { host, pathname } = new URL(url);
  return host + pathname;
}

async function openSqliteFile(
  path: string,
  { log, onStatement }: DatabaseOptions = {},
): Promise<ServiceDatabase> {
  const connect = async (lockTimeoutMs: number) =>
    new Kysely<Tables>({
      dialect: await connectSqlite(path, { lockTimeoutMs, log }),
      ...telling(onStatement),
    });
  return upToDate(await connect(LOCK_TIMEOUT_MS), () => connect(MIGRATION_TIMEOUT_MS), 'sqlite', {
    // One of an upgrade that failed is older: the version before that may have gone on.
    beforeUpgrade: (migration) => backUpSqlite(path, `${path}.before-${migration}`, { replaces: true }),
  });
}

async function openPostgres(url: string, options?: DatabaseOptions): Promise<ServiceDatabase> {
  const patient = { ...options, statementTimeoutMs: MIGRATION_TIMEOUT_MS };
  return upToDate(await connectToPostgres(url, options), () => connectToPostgres(url, patient), 'postgres');
}

async function connectToPostgres(url: string, options?: DatabaseOptions): Promise<ServiceDatabase> {
  // Whoever has a file loads no driver of PostgreSQL.
  const { connectPostgres } = await import('@darkroom/storage/postgres');
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: poolOf(connectPostgres(url, options)) }),
    ...telling(options?.onStatement),
  });
}

const telling = (onStatement: DatabaseOptions['onStatement']): Pick<KyselyConfig, 'log'> =>
  onStatement === undefined
    ? {}
    : {
        log({ level, query, queryDurationMillis }) {
          const kind = query.query.kind.replace(/(Query)?Node$/, '').toLowerCase();
          onStatement(kind, level === 'error' ? 'failed' : 'ok', queryDurationMillis);
        },
      };

/** `connectPatiently` opens a second connection that waits for as long as a migration may take. */
async function upToDate(
  db: ServiceDatabase,
  connectPatiently: () => Promise<ServiceDatabase>,
  dialect: Dialect,
  options?: MigrateOptions,
): Promise<ServiceDatabase> {
  try {
    if (await isUpToDate(db, dialect)) return db;
    const patient = await connectPatiently();
    await migrate(patient, dialect, options).finally(() => patient.destroy());
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
