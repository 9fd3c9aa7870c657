import { resolve } from 'node:path';
import { messageOf, OperatorError } from '@darkroom/process';
import { backUpSqlite, DatabaseUnavailable, isDamaged, mendOfDamage, sqlitePath } from '@darkroom/storage';
import type { Postgres, PostgresOptions } from '@darkroom/storage/postgres';
import { HOUR_MS } from '@darkroom/time';
import { Kysely, type KyselyConfig, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import { isUpToDate, migrate } from './migrate.ts';
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
  const { db, isReady } = await openToLook(url, options);
  if (isReady) return db;
  try {
    const patience = { ...options, statementTimeoutMs: MIGRATION_TIMEOUT_MS };
    const patient = await connect(url, patience, MIGRATION_TIMEOUT_MS);
    const beforeUpgrade = (migration: string) => backUpFile(url, migration);
    await migrate(patient, dialectOf(url), { beforeUpgrade }).finally(() => patient.destroy());
    return db;
  } catch (error) {
    await db.destroy();
    throw unusable(url, error);
  }
}

/** The same for who only looks at a database that is there: `isReady` tells whether its tables are up to date. */
export async function openToLook(
  url: string,
  options?: DatabaseOptions,
): Promise<{ db: ServiceDatabase; isReady: boolean }> {
  try {
    const db = await connect(url, options);
    try {
      return { db, isReady: await isUpToDate(db, dialectOf(url)) };
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
  return new OperatorError(
    `The service cannot use its database ${databaseName(url)}: ${messageOf(cause)}${adviceFor(cause)}`,
    { cause },
  );
}

function adviceFor(cause: unknown): string {
  if (cause instanceof OperatorError) return '';
  if (isDamaged(cause)) return `. ${mendOfDamage('SERVICE_DATABASE_URL')}`;
  return '. Check that it is there, can be written and has room, and SERVICE_DATABASE_URL.';
}

/**
 * What `work` does on the database behind `url`. Rejects with an `OperatorError` where that becomes unavailable, or is
 * found to be damaged.
 */
export const onDatabase = <Result>(url: string, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable || isDamaged(error) ? unusable(url, error) : error;
  });

/** A database as people read it: the whole path of its file, or its host and name, without user and password. */
export function databaseName(url: string): string {
  const path = sqlitePath(url);
  if (path !== undefined) return resolve(path);
  if (!URL.canParse(url)) return 'at SERVICE_DATABASE_URL';
  const { host, pathname } = new URL(url);
  return host + pathname;
}

const dialectOf = (url: string): Dialect => (sqlitePath(url) === undefined ? 'postgres' : 'sqlite');

/** Only an SQLite file: PostgreSQL has tools of its own for this. */
async function backUpFile(url: string, migration: string): Promise<void> {
  const path = sqlitePath(url);
  // One of an upgrade that failed is older: the version before that may have gone on.
  if (path !== undefined) await backUpSqlite(path, `${path}.before-${migration}`, { replaces: true });
}

async function connect(
  url: string,
  options: DatabaseOptions = {},
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<ServiceDatabase> {
  const path = sqlitePath(url);
  const dialect =
    path === undefined
      ? await connectToPostgres(url, options)
      : await connectSqlite(path, { lockTimeoutMs, log: options.log });
  return new Kysely<Tables>({ dialect, ...telling(options.onStatement) });
}

async function connectToPostgres(url: string, options: PostgresOptions): Promise<PostgresDialect> {
  // Whoever has a file loads no driver of PostgreSQL.
  const { connectPostgres } = await import('@darkroom/storage/postgres');
  return new PostgresDialect({ pool: poolOf(connectPostgres(url, options)) });
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

const poolOf = ({ connect, end }: Postgres): PostgresPool => ({
  async connect() {
    const connection = await connect();
    // Kysely's type also has queries with a cursor. It makes none, as it is given no cursor.
    return { ...connection, query: connection.query as never };
  },
  end,
});
