import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { localPath } from './local-path.ts';

/**
 * Keeps every object of better-sqlite3 from being garbage-collected: version 12, compiled against the headers of Node
 * 24.19 and later, ends the process when one is (nodejs/node#65446), and version 13 does not run on Node 20. There
 * are few statements, because each text is prepared once.
 */
const neverCollected = new Set<object>();

/** A prepared statement. One that returns rows is a `reader`: use `all` or `iterate`; use `run` for any other. */
type Statement = Pick<Database.Statement, 'reader' | 'readonly' | 'all' | 'run' | 'iterate'>;

/** Whether it is the error of a statement that found the file locked by another process. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Whether it is the error of a statement that found no room for what it writes. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_FULL';

/** Whether it is the error of a file that cannot be read or written now: its disk is full, broken or away. */
export const isDiskFailure = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(error.code);

export type SqliteUrl = `sqlite://${string}`;

/** The file behind a `sqlite://` URL; undefined for any other. */
export function sqlitePath(url: SqliteUrl): string;
export function sqlitePath(url: string): string | undefined;
export function sqlitePath(url: string): string | undefined {
  const [, path] = /^sqlite:\/\/(.*)/s.exec(url) ?? [];
  return path === undefined ? undefined : localPath(path);
}

/** A connection of better-sqlite3 that prepares each statement once. */
export type Sqlite = ReturnType<typeof openSqlite>;

/**
 * Opens the file at `path` and creates it, and its folder, where it is missing. A statement waits `timeoutMs` for a
 * lock.
 */
export function openSqlite(path: string, { timeoutMs }: { timeoutMs: number }) {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: timeoutMs });
  const statements = new Map<string, Statement>();
  neverCollected.add(database).add(statements);
  return {
    prepare(sql: string): Statement {
      const prepared = statements.get(sql);
      if (prepared) return prepared;
      const statement = withPlainRows(database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
    /** Runs statements whose rows are not needed, `PRAGMA` included. */
    exec: (sql: string): void => void database.exec(sql),
    /** Whether a transaction is open: SQLite itself may have rolled it back. */
    get inTransaction(): boolean {
      return database.inTransaction;
    },
    close: (): void => void database.close(),
  };
}

/**
 * Returns rows as ordinary objects. Those of better-sqlite3 are in V8's dictionary mode, where a row of fifteen
 * columns takes half as long again to make and to read.
 */
function withPlainRows(statement: Database.Statement): Statement {
  if (!statement.reader) return statement;
  // As the key of an object V8 has a name internalized; as better-sqlite3 gives it each row looks it up anew.
  const names = statement.columns().map(({ name }) => Object.keys({ [name]: null })[0] ?? name);
  statement.raw();
  const rowOf = (values: unknown): unknown => {
    // `raw` returns every row as an array.
    const columns = values as readonly unknown[];
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = columns[at];
    return row;
  };
  return {
    reader: true,
    readonly: statement.readonly,
    all: (...parameters) => statement.all(...parameters).map(rowOf),
    run: (...parameters) => statement.run(...parameters),
    *iterate(...parameters) {
      for (const values of statement.iterate(...parameters)) yield rowOf(values);
    },
  };
}
