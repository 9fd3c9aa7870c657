import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import type { Database } from './table.ts';

/** How often it is tried again while somebody reads the file. */
const AGAIN_MS = 2_000;

/** As `Store.wipeDeleted`. Rejects as the database does, at the first attempt; what fails later is logged. */
export async function wipeDeleted(
  database: Pick<Database, 'wipeDeleted'>,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<{ wiped: Promise<boolean> }> {
  if (await database.wipeDeleted()) return { wiped: Promise.resolve(true) };
  const wiped = again().catch((error: unknown) => {
    if (!signal.aborted)
      log.warn({ err: error }, 'deleted rows may still stand in the file beside the store');
    return false;
  });
  return { wiped };

  async function again(): Promise<boolean> {
    do await clock.sleep(AGAIN_MS, signal);
    while (!(await database.wipeDeleted()));
    return true;
  }
}
