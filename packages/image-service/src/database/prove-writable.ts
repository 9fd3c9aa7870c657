import { randomUUID } from 'node:crypto';
import type { ServiceDatabase } from './database.ts';

/**
 * Rejects where the database takes no writes, as on a full disk, which can still be read. What SQLite finds there
 * already it does not write: so something changes, and back, in one transaction. In PostgreSQL another process that
 * inserts the same key would wait for the end of it: each has its own.
 */
export async function proveWritable(db: ServiceDatabase): Promise<void> {
  // Of no period that there is.
  const period = `probe ${randomUUID()}`;
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('expenses').values({ period, unit: 'probe', amount: 0 }).execute();
    await transaction.deleteFrom('expenses').where('period', '=', period).execute();
  });
}
