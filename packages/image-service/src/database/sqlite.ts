import { open, rename, rm, stat } from 'node:fs/promises';
import type { Log } from '@darkroom/process';
import { isBusy, openSqlite, type Sqlite } from '@darkroom/storage';
import { refdClock, retry } from '@darkroom/time';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver } from './sqlite-driver.ts';

/** Opens the SQLite file at `path`; creates it where it is missing. See `createSqliteDriver`. */
export async function connectSqlite(
  path: string,
  options: { lockTimeoutMs: number; log?: Log | undefined },
): Promise<Dialect> {
  const writer = openSqlite(path, { timeoutMs: 0 });
  await useWal(writer, options.lockTimeoutMs);
  writer.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  const reader = openSqlite(path, { timeoutMs: 0 });
  reader.exec('PRAGMA query_only = ON');
  return {
    createDriver: () => createSqliteDriver({ writer, reader, ...options }),
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
    random: Math.random,
  });

/** Copies the SQLite file at `path` as its last commit left it. A copy that is there already stays. */
export async function copySqlite(path: string, target: string): Promise<void> {
  const { mode } = await stat(path);
  if (await stat(target).catch(() => undefined)) return;
  const partial = `${target}.part`;
  await rm(partial, { force: true });
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  try {
    sqlite.prepare('vacuum into ?').run(partial);
  } finally {
    sqlite.close();
  }
  const copy = await open(partial);
  try {
    await copy.chmod(mode);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await rename(partial, target);
}
