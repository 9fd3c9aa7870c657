import type { Log } from '@darkroom/process';
import { type Clock, DAY_MS, repeat, withTimeout } from '@darkroom/time';
import type { Table, Tables } from './table.ts';

/**
 * How many rows one statement deletes: whoever writes meanwhile waits for no more than these, and on SQLite everybody
 * does. It writes zeros over them, and those of `pictures` may be tens of megabytes each.
 */
const AT_ONCE = { rows: 100, pictures: 1 } as const satisfies Record<keyof Tables, number>;

/** How long one statement may take. A row may be large, and nobody waits for it. */
const TIMEOUT_MS = 30_000;

/**
 * Deletes the expired rows of `tables`, at once and every day until `signal` aborts. Never rejects; what fails is
 * logged and left for the next day.
 */
export function deleteExpiredDaily(
  tables: Tables,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<void> {
  async function sweep(): Promise<void> {
    for (const name of ['rows', 'pictures'] as const) {
      await deleteExpired(tables[name], AT_ONCE[name], signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'expired rows could not be deleted, and stay a day');
      });
    }
  }
  return repeat(sweep, { everyMs: DAY_MS, clock, signal });
}

async function deleteExpired(table: Table, atOnce: number, signal: AbortSignal): Promise<void> {
  let deleted: number;
  do {
    deleted = await withTimeout(TIMEOUT_MS, () => table.deleteExpired(Date.now(), atOnce), { signal });
  } while (deleted === atOnce);
}
