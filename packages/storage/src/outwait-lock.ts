import { backoffMs, refdClock } from '@darkroom/time';
import { isBusy } from './sqlite.ts';

/** Waits between the attempts to get the lock: short, as another process holds it for one transaction. */
const LOCK_WAITS = { firstMs: 2, maxMs: 50 };

/**
 * Does once what finds an SQLite file locked by another process, and again until `lockedUntil` (by
 * `performance.now`). It waits without stopping the thread, as better-sqlite3 itself would. Rejects with its last
 * error.
 */
export async function outwaitLock<Result>(work: () => Result, lockedUntil: number): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= lockedUntil) throw error;
    }
    await refdClock.sleep(backoffMs({ attempt, ...LOCK_WAITS }));
  }
}
