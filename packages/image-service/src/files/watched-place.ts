import type { Log } from '@darkroom/process';
import { type Clock, createWakeableSleep, repeat, withTimeout } from '@darkroom/time';
import { boundPlace } from './bounded-place.ts';
import { type FilePlace, FilesUnavailable, type PlaceProblem, PROBE_SIZE } from './file-place.ts';

/** How often a place that is out of order is tried again. */
const RETRY_MS = 2_000;
/** How long closing waits for a probe. */
const CLOSE_MS = 2_000;

export type WatchedPlace = ReturnType<typeof watchPlace>;

/**
 * A place whose failures are known: it is tried again and again whether files can be written, so that work which
 * needs one is refused before it begins. What fails is said once in the log with its cause, and once when it works
 * again.
 */
export function watchPlace({
  place,
  proof,
  clock,
  log,
}: {
  place: FilePlace;
  /** The file that shows that it is the right place, see `place-proof.ts`. */
  proof: string;
  clock: Clock;
  log: Log;
}) {
  const { description, probeMs } = place;
  const closing = new AbortController();
  const { write, open, read, has, remove, probe } = boundPlace(place);
  const pause = createWakeableSleep(clock);
  let loop = Promise.resolve();
  let problem: PlaceProblem | undefined;
  /** A probe is as large as the file that did not fit. */
  let probeSize = PROBE_SIZE;

  /** An empty folder that a disk is missing from would take a picture, and forget that there was one to remove. */
  async function requireOwn(): Promise<void> {
    if (!(await has(proof)))
      throw new FilesUnavailable('is not the one that it was', new Error(`${proof} is missing in it`));
  }

  function failed(error: unknown): void {
    if (problem === undefined) {
      const place = description;
      log.error({ place, err: error }, 'pictures cannot be stored, and new tasks are refused; trying again');
    }
    problem = error instanceof FilesUnavailable ? error.problem : 'does not answer';
  }

  async function tryPlace(): Promise<void> {
    const size = probeSize;
    try {
      await requireOwn();
      await probe(size);
    } catch (error) {
      return failed(error);
    }
    // Meanwhile a larger file may not have fitted.
    if (size < probeSize) return;
    if (problem !== undefined) log.info({ place: description }, 'pictures can be stored again');
    problem = undefined;
    probeSize = PROBE_SIZE;
  }

  return {
    /** What is wrong with the place, as far as it is known; undefined while files can be written. */
    problem: (): PlaceProblem | undefined => problem,

    async write(name: string, bytes: Uint8Array): Promise<void> {
      if (problem !== undefined) await requireOwn();
      try {
        await write(name, bytes);
      } catch (error) {
        probeSize = Math.max(probeSize, bytes.length);
        failed(error);
        pause.wake();
        throw error;
      }
    },

    open,
    read,

    async remove(name: string): Promise<void> {
      if (problem !== undefined) await requireOwn();
      await remove(name);
    },

    start(): void {
      loop = repeat(tryPlace, {
        everyMs: () => (problem === undefined ? probeMs : Math.min(RETRY_MS, probeMs)),
        clock: pause,
        signal: closing.signal,
      });
    },

    async close(): Promise<void> {
      closing.abort('closing');
      await withTimeout(CLOSE_MS, () => loop).catch(() => undefined);
    },
  };
}
