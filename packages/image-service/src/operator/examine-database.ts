import { existsSync } from 'node:fs';
import { sqlitePath } from '@darkroom/storage';
import type { ServiceConfig } from '../config.ts';
import { onDatabase, openToLook } from '../database/database.ts';
import { openStorage } from '../storage.ts';
import { proveDatabase } from '../vault/database-proof.ts';

/**
 * Whether a service can use its database with the secret that is set; the next start makes it, or brings it up to
 * date. The service may run: nothing is made, and nothing changed. Rejects with an `OperatorError` where it cannot.
 */
export async function examineDatabase(config: ServiceConfig): Promise<'missing' | 'outdated' | 'ready'> {
  const path = sqlitePath(config.SERVICE_DATABASE_URL);
  if (path !== undefined && !existsSync(path)) return 'missing';
  const { databaseUrl, vault } = await openStorage(config);
  const { db, isReady } = await openToLook(databaseUrl);
  try {
    if (!isReady) return 'outdated';
    await onDatabase(databaseUrl, () => proveDatabase(db, vault, { writes: false }));
    return 'ready';
  } finally {
    await db.destroy();
  }
}
