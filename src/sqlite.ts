import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Everything better-sqlite3 has made in this process. Its version 12, compiled against the headers of Node 24.19 and
 * later, ends the process when one of its objects is garbage-collected (nodejs/node#65446), and its version 13 does not
 * run on Node 20: so nothing is ever collected. Statements are few, since each text is prepared once.
 */
const kept = new Set<object>();

/** A prepared statement: one that returns rows (`reader`) is asked for all of them, any other one is run. */
export type Statement = Pick<Database.Statement, 'reader' | 'all' | 'run' | 'iterate'>;

/** A connection of better-sqlite3 that prepares each statement once. */
export interface Sqlite {
  prepare(sql: string): Statement;
  /** Runs statements that return nothing, also `PRAGMA`. */
  exec(sql: string): void;
  close(): void;
}

export type SqliteUrl = `sqlite://${string}`;

/** The file behind a `sqlite://` URL; undefined for any other. */
export function sqlitePath(url: SqliteUrl): string;
export function sqlitePath(url: string): string | undefined;
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:\/\/(.*)/s.exec(url)?.[1];
}

/** Opens the file at `path`, made with its folder where it is missing. `timeoutMs`: how long a statement waits for a lock. */
export function openSqlite(path: string, { timeoutMs }: { timeoutMs: number }): Sqlite {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: timeoutMs });
  const statements = new Map<string, Statement>();
  kept.add(database).add(statements);
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = withPlainRows(database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
    exec: (sql) => void database.exec(sql),
    close: () => void database.close(),
  };
}

/**
 * Rows that are ordinary objects. better-sqlite3 makes its own in V8's dictionary mode, and a row of fifteen columns costs
 * half as much again to make and to read that way.
 */
function withPlainRows(statement: Database.Statement): Statement {
  if (!statement.reader) return statement;
  const names = statement.columns().map(({ name }) => name);
  statement.raw();
  const rowOf = (values: unknown): unknown => {
    // `raw` makes a list of every row.
    const list = values as readonly unknown[];
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = list[at];
    return row;
  };
  return {
    reader: true,
    all: (...parameters) => statement.all(...parameters).map(rowOf),
    run: (...parameters) => statement.run(...parameters),
    *iterate(...parameters) {
      for (const values of statement.iterate(...parameters)) yield rowOf(values);
    },
  };
}
