import type { ServiceDatabase } from './database.ts';

/** Of no period that there is. */
const PROBE = { period: 'probe', unit: 'probe', amount: 0 };

/**
 * Rejects where the database takes no writes, as on a full disk, which can still be read. What SQLite finds there
 * already it does not write: so something changes, and back, in one transaction.
 */
export async function proveWritable(db: ServiceDatabase): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('expenses').values(PROBE).execute();
    await transaction.deleteFrom('expenses').where('period', '=', PROBE.period).execute();
  });
}
