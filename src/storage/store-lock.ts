import { lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '@darkroom/process';
import { openSqlite, type Sqlite } from '@darkroom/storage';
import { type Clock, refdClock } from '@darkroom/time';
import Database from 'better-sqlite3';
import { unusableStore } from './unusable-store.ts';

/** How long a process waits for the one before it to end. */
const GIVE_UP_AFTER_MS = 15_000;
const RETRY_INTERVAL_MS = 250;

export class StoreInUse extends OperatorError {}

/**
 * Acquires the lock of the SQLite store at `path`, the right to follow its jobs: one process holds it, and it is lost
 * with that, also by a kill -9. It is one of the operating system on a file beside it, by way of SQLite, since Keyv can
 * compare nothing before it sets. Rejects with a sentence for the operator: a `StoreInUse` where another process holds
 * it.
 */
export async function acquireStoreLock({
  path,
  waitMs = GIVE_UP_AFTER_MS,
  clock = refdClock,
}: {
  path: string;
  /** How long another process may take to end. */
  waitMs?: number;
  /** Keeps the process alive while it waits: there may be nothing else yet. */
  clock?: Clock;
}) {
  const giveUpAt = clock.now() + waitMs;
  try {
    const file = lockFileOf(path);
    for (;;) {
      const lock = tryLock(file);
      if (lock) return { release: (): void => lock.close() };
      if (clock.now() >= giveUpAt) break;
      await clock.sleep(RETRY_INTERVAL_MS);
    }
  } catch (cause) {
    throw unusableStore(`sqlite://${path}`, cause);
  }
  throw new StoreInUse(
    `Another Darkroom is running on ${resolve(path)}. Stop it first, or give this one a store of its own with STORE_URL.`,
  );
}

/** Beside the store at `path`, whose folder is made. */
export const lockFileOf = (path: string): string => `${realNameOf(path)}.lock`;

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
