import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { withTimeout } from '@darkroom/time';
import type { KeyvSqlite } from '@keyv/sqlite';

const EVERY_MS = 24 * 3600_000;

/** How many rows one statement looks at: whoever writes meanwhile waits for no more than these. */
const ROWS = 100;

/** How long one statement may take. Rows may be large, and nobody waits for it. */
const TIMEOUT_MS = 30_000;

/** Keyv writes when a row expires, by the machine's clock, into the text of its value. That text may be damaged. */
const EXPIRED = "CASE WHEN json_valid(value) THEN json_extract(value, '$.expires') END < ?";

/**
 * Deletes the expired rows of a table, at once and every day until `signal` aborts: Keyv does so only where somebody
 * asks for one again. Never rejects; what fails is logged and left for the next day.
 */
export async function deleteExpiredDaily(
  adapter: KeyvSqlite,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await deleteExpired(adapter, signal).catch((error: unknown) => {
      const { table } = adapter.opts;
      if (!signal.aborted)
        log.warn({ err: error, table }, 'expired rows could not be deleted, and stay a day');
    });
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** Looks before it deletes, because a deletion keeps others from writing while it looks. */
async function deleteExpired(adapter: KeyvSqlite, signal: AbortSignal): Promise<void> {
  const { table } = adapter.opts;
  const query = (sql: string, ...values: unknown[]) =>
    withTimeout(TIMEOUT_MS, () => adapter.query(sql, values), { signal });
  let last: string | undefined = '';
  while (last !== undefined) {
    const now = Date.now();
    const rows: { key: string; expired: 0 | 1 | null }[] = await query(
      `SELECT key, ${EXPIRED} AS expired FROM ${table} WHERE key > ? ORDER BY key LIMIT ${ROWS}`,
      now,
      last,
    );
    const expired = rows.filter((row) => row.expired === 1).map(({ key }) => key);
    if (expired.length > 0) {
      const keys = JSON.stringify(expired);
      // One that was written anew since then stays.
      await query(
        `DELETE FROM ${table} WHERE key IN (SELECT value FROM json_each(?)) AND ${EXPIRED}`,
        keys,
        now,
      );
    }
    last = rows.at(-1)?.key;
  }
}
