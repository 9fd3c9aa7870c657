import { closeSync, fdatasync, fdatasyncSync, fstat, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { isTimeout, withTimeout } from '@darkroom/time';

/** Where all of Node's threads wait for longer, say for a folder that hangs, this one writes to the disk. */
const PATIENCE_MS = 1_000;

export type SqliteFlush = ReturnType<typeof createSqliteFlush>;

/**
 * Brings the commits of an SQLite file to the disk, as `synchronous = FULL` would, without stopping the thread: in
 * WAL mode with `synchronous = NORMAL` they are in its log, in their order, and only the log's flush is left. Those
 * of one moment share it. A connection to the file stays open for as long as this is used.
 */
export function createSqliteFlush(path: string) {
  /** Of the log, which is there from the first commit on. */
  let file: number | undefined;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function flushLog(): Promise<void> {
    // Some systems flush only what may be written.
    file ??= openSync(`${path}-wal`, 'r+');
    await flushed(file);
  }

  return {
    /** Resolves once everything that is committed by now is on the disk. */
    flush(): Promise<void> {
      next ??= last
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          last = flushLog();
          return last;
        });
      return next;
    },

    /** Once nothing is committed any more. */
    async close(): Promise<void> {
      await (next ?? last).catch(() => undefined);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** A disk may take its time: only where no thread takes up the flush does this one wait for it. */
async function flushed(file: number): Promise<void> {
  // What is asked for first is taken up first.
  const takenUp = promisify(fstat)(file);
  const flush = promisify(fdatasync)(file);
  flush.catch(() => undefined);
  try {
    await withTimeout(PATIENCE_MS, () => takenUp);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return fdatasyncSync(file);
  }
  return flush;
}
