import { refdClock } from '@darkroom/time';
import { sql } from 'kysely';
import type { ServiceDatabase } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/** Whoever reads the file for longer is a backup, and reads for minutes. */
const PATIENCE_MS = 2_000;
const WAIT_MS = 50;

/**
 * Empties the log of an SQLite file, which holds pages as they were before rows were deleted. False where that cannot be
 * done, as somebody reads it. PostgreSQL erases by itself, when it vacuums.
 */
export async function wipeDeleted(db: ServiceDatabase): Promise<boolean> {
  if (hasRowLocks(db)) return true;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return true;
    if (performance.now() >= until) return false;
    await refdClock.sleep(WAIT_MS);
  }
}
