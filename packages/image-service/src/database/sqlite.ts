import type { Log } from '@darkroom/process';
import { isBusy, openSqlite, type Sqlite } from '@darkroom/storage';
import { refdClock, retry } from '@darkroom/time';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver } from './sqlite-driver.ts';
import { createSqliteFlush } from './sqlite-flush.ts';

/** Opens the SQLite file at `path`; creates it where it is missing. See `createSqliteDriver`. */
export async function connectSqlite(
  path: string,
  options: { lockTimeoutMs: number; log?: Log | undefined },
): Promise<Dialect> {
  const writer = openSqlite(path, { timeoutMs: 0 });
  await useWal(writer, options.lockTimeoutMs);
  // The driver brings each commit to the disk.
  writer.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  // Zeros are written over what is deleted or overwritten.
  writer.exec('PRAGMA secure_delete = ON');
  const reader = openSqlite(path, { timeoutMs: 0 });
  reader.exec('PRAGMA query_only = ON');
  return {
    createDriver: () => createSqliteDriver({ writer, reader, disk: createSqliteFlush(path), ...options }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Of several processes that open a new file at once, all but one find it locked. */
const useWal = (sqlite: Sqlite, budgetMs: number): Promise<void> =>
  retry(async () => sqlite.exec('PRAGMA journal_mode = WAL'), {
    policy: { firstMs: 20, maxMs: 500, budgetMs, isRetryable: isBusy },
    clock: refdClock,
  });
