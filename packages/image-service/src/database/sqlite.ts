import { open, rename, rm, stat } from 'node:fs/promises';
import { isBusy, openSqlite, type Sqlite } from '@darkroom/storage';
import { refdClock, retry } from '@darkroom/time';
import type { SqliteDatabase } from 'kysely';

/** How long a statement waits while another process writes. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the SQLite file at `path`; creates it where it is missing. */
export async function connectSqlite(path: string): Promise<SqliteDatabase> {
  const sqlite = openSqlite(path, { timeoutMs: BUSY_TIMEOUT_MS });
  await useWal(sqlite);
  sqlite.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return {
    // With Kysely's plain `begin`, a transaction that reads first fails at its first write if another process has written since.
    prepare: (sql) => sqlite.prepare(sql === 'begin' ? 'begin immediate' : sql),
    close: () => sqlite.close(),
  };
}

/** Of several processes that open a new file at once all but one fail at this, however long their statements wait. */
const useWal = (sqlite: Sqlite): Promise<void> =>
  retry(async () => sqlite.exec('PRAGMA journal_mode = WAL'), {
    policy: { firstMs: 20, maxMs: 500, budgetMs: 2 * BUSY_TIMEOUT_MS, isRetryable: isBusy },
    clock: refdClock,
    random: Math.random,
  });

/** Copies the SQLite file at `path` as its last commit left it. A copy that is there already stays. */
export async function copySqlite(path: string, target: string): Promise<void> {
  const { mode } = await stat(path);
  if (await stat(target).catch(() => undefined)) return;
  const partial = `${target}.part`;
  await rm(partial, { force: true });
  const sqlite = openSqlite(path, { timeoutMs: BUSY_TIMEOUT_MS });
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
