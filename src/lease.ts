import { lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type Clock, wakefulClock } from './clock.ts';
import { messageOf, UserError } from './errors.ts';
import { openSqlite, type Sqlite } from './sqlite.ts';

/** How long a process waits for the one before it to end. */
const PATIENCE_MS = 15_000;
const INTERVAL_MS = 250;

/** The right to follow the jobs of a store. Held by one process at a time, and lost with it, also by a kill -9. */
export interface Lease {
  release(): void;
}

/**
 * Takes the lease of the SQLite store at `path`: a lock of the operating system on a file beside it, by way of SQLite,
 * since Keyv can compare nothing before it sets. Rejects with a sentence for the operator where another process keeps it.
 */
export async function takeLease({
  path,
  clock = wakefulClock,
}: {
  path: string;
  /** Keeps the process alive while it waits: there may be nothing else yet. */
  clock?: Clock;
}): Promise<Lease> {
  const giveUpAt = clock.now() + PATIENCE_MS;
  try {
    const file = `${realNameOf(path)}.lock`;
    for (;;) {
      const lock = tryLock(file);
      if (lock) return { release: () => lock.close() };
      if (clock.now() >= giveUpAt) break;
      await clock.sleep(INTERVAL_MS);
    }
  } catch (cause) {
    throw new UserError(`The store ${path} cannot be opened: ${messageOf(cause)}`, { cause });
  }
  throw new UserError(
    `Another Darkroom is running on ${path}. Stop it first, or give this one a store of its own with STORE_URL.`,
  );
}

/** Where the store at `path` is, or will be made, whatever links lead to it. */
function realNameOf(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const name = join(realpathSync(dirname(path)), basename(path));
  if (!lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) return name;
  return realNameOf(resolve(dirname(name), readlinkSync(name)));
}

/** A connection that holds the exclusive lock until it is closed; undefined where another one does. */
function tryLock(file: string): Sqlite | undefined {
  const lock = openSqlite(file, { timeoutMs: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}
