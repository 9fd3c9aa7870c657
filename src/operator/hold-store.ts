import { access, constants } from 'node:fs/promises';
import { messageOf, OperatorError } from '@darkroom/process';
import { sqlitePath } from '@darkroom/storage';
import { refdClock, repeat } from '@darkroom/time';
import { openLocks, PROCESS } from '../shards/locks.ts';
import { acquireStoreLock, lockFileOf } from '../storage/store-lock.ts';
import { isSqlite, nameOf, type StoreUrl } from '../storage/store-url.ts';

/** Locks are asked about so often that they are kept. */
const KEEP_EVERY_MS = 1_000;

/** Rejects with a sentence for the operator once a bot may start on the store. */
export type StillHeld = () => Promise<void>;

/**
 * Keeps every bot from the store at `url` during `work`, and resolves with what that does. Rejects with an
 * `OperatorError` where a bot runs on it, or it cannot be opened.
 */
export async function holdStore<Result>(
  url: StoreUrl,
  work: (stillHeld: StillHeld) => Promise<Result>,
): Promise<Result> {
  if (isSqlite(url)) {
    const lock = await acquireStoreLock({ path: sqlitePath(url), waitMs: 0 });
    return work(async () => undefined).finally(() => lock.release());
  }
  const locks = await openLocks(url).catch((cause: unknown) => {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(
      `The store ${nameOf(url)} cannot be opened: ${messageOf(cause)}. Check that PostgreSQL runs there, and the address.`,
      { cause },
    );
  });
  const released = new AbortController();
  try {
    if (!(await locks.tryLock(PROCESS)))
      throw new OperatorError(`A Darkroom is running on ${nameOf(url)}. Stop it first.`);
    // Where one look fails, every later one does, and says so to whoever asks.
    void repeat(locks.look, { everyMs: KEEP_EVERY_MS, clock: refdClock, signal: released.signal });
    return await work(async () => {
      await locks.look().catch((cause: unknown) => {
        throw new OperatorError(`The lock on ${nameOf(url)} was lost: ${messageOf(cause)}. Run this again.`, {
          cause,
        });
      });
    });
  } finally {
    released.abort();
    await locks.close().catch(() => undefined);
  }
}

/** The same for a backup. Where no bot can have run on it, there is no lock beside it to hold, and none is made. */
export const holdBackup: typeof holdStore = async (url, work) =>
  isSqlite(url) && !(await isWritable(lockFileOf(sqlitePath(url))))
    ? work(async () => undefined)
    : holdStore(url, work);

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
