import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, repeat, withTimeout } from '@darkroom/time';
import type { Table } from './table.ts';

/** How many rows one statement deletes: whoever writes meanwhile waits for no more than these. */
const ROWS = 100;

/** How long one statement may take. Rows may be large, and nobody waits for it. */
const TIMEOUT_MS = 30_000;

/**
 * Deletes the expired rows of `tables`, at once and every day until `signal` aborts. Never rejects; what fails is
 * logged and left for the next day.
 */
export function deleteExpiredDaily(
  tables: readonly Table[],
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<void> {
  async function sweep(): Promise<void> {
    for (const table of tables) {
      await deleteExpired(table, signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'expired rows could not be deleted, and stay a day');
      });
    }
  }
  return repeat(sweep, { everyMs: DAY_MS, clock, signal });
}

async function deleteExpired(table: Table, signal: AbortSignal): Promise<void> {
  let deleted: number;
  do {
    deleted = await withTimeout(TIMEOUT_MS, () => table.deleteExpired(Date.now(), ROWS), { signal });
  } while (deleted === ROWS);
}
