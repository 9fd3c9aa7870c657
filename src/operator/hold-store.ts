import { OperatorError } from '@darkroom/process';
import { sqlitePath } from '@darkroom/storage';
import { refdClock, repeat } from '@darkroom/time';
import { openLocks, PROCESS } from '../shards/locks.ts';
import { acquireStoreLock } from '../storage/store-lock.ts';
import { isSqlite, nameOf, type StoreUrl } from '../storage/store-url.ts';

/** Locks are asked about so often that they are kept. */
const KEEP_EVERY_MS = 1_000;

/** Keeps every bot from the store at `url`; resolves with how to let them. Rejects where one runs on it. */
export async function holdStore(url: StoreUrl): Promise<() => Promise<void>> {
  if (isSqlite(url)) {
    const lock = await acquireStoreLock({ path: sqlitePath(url), waitMs: 0 });
    return async () => lock.release();
  }
  const locks = await openLocks(url);
  if (!(await locks.tryLock(PROCESS))) {
    await locks.close();
    throw new OperatorError(`A Darkroom is running on ${nameOf(url)}. Stop it first.`);
  }
  const released = new AbortController();
  const keeping = repeat(locks.look, { everyMs: KEEP_EVERY_MS, clock: refdClock, signal: released.signal });
  return async () => {
    released.abort();
    await keeping;
    await locks.close();
  };
}
