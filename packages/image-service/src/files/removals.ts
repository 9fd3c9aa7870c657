import { randomInt } from 'node:crypto';
import type { Log } from '@darkroom/process';
import { isTimeout } from '@darkroom/time';
import { FilesUnavailable } from './file-place.ts';

/** Names that are read at once. */
const BATCH = 500;
/** Of them, those that are removed at once: a bucket takes a moment for each. */
const AT_ONCE = 16;

/** A part of a list of names; of some alone where `among` names them. */
export interface Page {
  limit: number;
  offset?: number;
  among?: readonly string[];
}

/** What is removed once it has expired. */
export interface Expiring {
  /** Names of what has expired and is not yet removed, in the order in which it expired. */
  expired(page: Page): Promise<string[]>;
  /** Removes them all at once; resolves with why some could not be, by their names. */
  removeAll(names: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Removes all that has expired. Several processes do so at once: each begins at another place of the list, and leaves
 * out what others have removed. What cannot be removed is tried again the next time; where none of a batch can, the next
 * time begins behind it, until all have had their turn. Where the place does not answer in time, the rest waits for the
 * next time.
 */
export function createRemovals(
  { expired, removeAll }: Expiring,
  { log, signal }: { log: Log; signal: AbortSignal },
): () => Promise<void> {
  let stuck = 0;

  async function remove(names: readonly string[]) {
    let gone = 0;
    let failed = 0;
    let timedOut = false;
    let failure: { file: string; err: unknown } | undefined;
    for (let from = 0; from < names.length && !timedOut && !signal.aborted; from += AT_ONCE) {
      const some = names.slice(from, from + AT_ONCE);
      const failures = await removeAll(await expired({ limit: AT_ONCE, among: some }));
      gone += some.length - failures.size;
      failed += failures.size;
      const [first] = failures;
      if (first) failure ??= { file: first[0], err: first[1] };
      // Each of the others would hold up the rest for as long.
      timedOut = [...failures.values()].some(
        (err) => err instanceof FilesUnavailable && isTimeout(err.cause),
      );
    }
    // One line: where one file cannot be removed, often none can.
    if (failure)
      log.error(
        { ...failure, files: names.length - gone },
        'files could not be removed; trying again in a minute',
      );
    return { gone, failed, timedOut };
  }

  return async () => {
    for (;;) {
      const names = await expired({ limit: BATCH, offset: stuck });
      const start = randomInt(names.length + 1);
      const { gone, failed, timedOut } = await remove([...names.slice(start), ...names.slice(0, start)]);
      stuck = names.length < BATCH ? 0 : stuck + failed;
      if (names.length < BATCH || gone === 0 || timedOut || signal.aborted) return;
    }
  };
}
