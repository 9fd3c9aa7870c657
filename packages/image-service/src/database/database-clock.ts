import { type Clock, repeat, systemClock } from '@darkroom/time';
import { PostgresAdapter, sql } from 'kysely';
import type { ServiceDatabase } from './database.ts';

/** How often the time of the database is read. */
const READ_MS = 1_000;

const POSTGRES_TIME = sql<{ time: number }>`
  select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as "time"`;
/** SQLite has no clock of its own: its machine's. */
const SQLITE_TIME = sql<{ time: number }>`select cast(unixepoch('subsec') * 1000 as integer) as "time"`;

/**
 * A clock that shows the time of the database, so that all processes on it agree on when leases, deadlines and
 * credits end, however wrong the clocks of their machines are. It is read every second, and counted on by a clock
 * that never leaps. `close` stops reading; it is to be called before the database is closed.
 */
export async function createDatabaseClock(
  db: ServiceDatabase,
): Promise<{ clock: Clock; close(): Promise<void> }> {
  const query = db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES_TIME : SQLITE_TIME;
  const closing = new AbortController();
  /** The time of the database less that of `performance.now`. */
  let ahead: number | undefined;

  async function read(): Promise<void> {
    const before = performance.now();
    const { rows } = await query.execute(db);
    const after = performance.now();
    for (const { time } of rows) {
      // It was that time at some moment between the two, so a slow answer says little, and changes nothing that it
      // allows.
      const [least, most] = [time - after, time - before];
      ahead = Math.min(Math.max(ahead ?? least, least), most);
    }
  }

  await read();
  // While the database is down, time goes on.
  const following = repeat(read, { everyMs: READ_MS, clock: systemClock, signal: closing.signal });
  return {
    clock: { now: () => Math.floor(performance.now() + (ahead ?? 0)), sleep: systemClock.sleep },
    async close() {
      closing.abort();
      await following;
    },
  };
}
