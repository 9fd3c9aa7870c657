import type { Log } from '@darkroom/process';
import { openSqliteDatabase } from './sqlite-database.ts';
import { isSqlite, type StoreUrl } from './store-url.ts';
import type { Database } from './table.ts';
import { unusableStore } from './unusable-store.ts';

/**
 * The tables behind `url`, made where they are missing. `busyTimeoutMs`: as for `openSqliteDatabase`;
 * the other timeouts: as for `openPostgresDatabase`. Rejects with a sentence for the operator.
 */
export async function openDatabase(
  url: StoreUrl,
  options: { log: Log; busyTimeoutMs?: number; statementTimeoutMs?: number; idleTimeoutMs?: number },
): Promise<Database> {
  try {
    if (isSqlite(url)) return await openSqliteDatabase(url, options);
    // Whoever has a file loads no driver of PostgreSQL.
    const { openPostgresDatabase } = await import('./postgres-database.ts');
    return await openPostgresDatabase(url, options);
  } catch (cause) {
    throw unusableStore(url, cause);
  }
}
