import { existsSync } from 'node:fs';
import { sqlitePath } from '@darkroom/storage';
import type { ServiceConfig } from '../config.ts';
import { onDatabase, openToLook } from '../database/database.ts';
import { proveWritable } from '../database/prove-writable.ts';
import { openPlace } from '../files/open-place.ts';
import { examinePlace } from '../files/place-proof.ts';
import { openStorage } from '../storage.ts';
import { proveDatabase } from '../vault/database-proof.ts';

/**
 * Whether a service can use its database with the secret that is set, and write both it and the place for its pictures;
 * the next start makes them, or brings them up to date. The service may run. Rejects with an `OperatorError` where it
 * cannot.
 */
export async function examineDatabase(config: ServiceConfig): Promise<'missing' | 'outdated' | 'ready'> {
  const path = sqlitePath(config.SERVICE_DATABASE_URL);
  if (path !== undefined && !existsSync(path)) return 'missing';
  const { databaseUrl, vault, pictures } = await openStorage(config);
  const { db, isReady } = await openToLook(databaseUrl);
  try {
    if (!isReady) return 'outdated';
    await onDatabase(databaseUrl, async () => {
      await proveDatabase(db, vault, { writes: false });
      await proveWritable(db);
      const place = await openPlace(pictures);
      await examinePlace(db, place).finally(() => place.close());
    });
    return 'ready';
  } finally {
    await db.destroy();
  }
}
