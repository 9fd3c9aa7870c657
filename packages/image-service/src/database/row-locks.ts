import { PostgresAdapter } from 'kysely';
import type { ServiceDatabase } from './database.ts';

/** Whether transactions run side by side and lock rows. On SQLite one has the whole file from its beginning. */
export const hasRowLocks = (db: ServiceDatabase): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
