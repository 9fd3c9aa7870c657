import type { Clock } from './clock.ts';

interface WaitOptions {
  /** Aborts the wait, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** Ends the wait once it settles, whatever is taken. */
  hurried?: Promise<unknown>;
}

export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Lets only so much be taken at once; the rest waits, first come, first served. `limit`: how much there is, in any
 * unit. `rest`: how long what is given back stays taken. `part`: how much of it all there is now, of 1; at least one can
 * be taken all the same, and rests the longer.
 */
export function createSemaphore(
  limit: number,
  { rest, part = () => 1 }: { rest?: { ms: number; clock: Pick<Clock, 'sleep'> }; part?: () => number } = {},
) {
  const room = () => Math.max(1, Math.floor(limit * part()));
  let taken = 0;
  const waiting = new Set<{ needed: number; start: () => void }>();

  function startNext(): void {
    for (const next of waiting) {
      if (taken + Math.min(next.needed, room()) > room()) return;
      next.start();
    }
  }

  function wait(needed: number, { signal, hurried }: WaitOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      const entry = { needed, start };
      function leave(): boolean {
        signal?.removeEventListener('abort', abort);
        return waiting.delete(entry);
      }
      function start() {
        if (!leave()) return;
        const share = Math.min(needed, room());
        taken += share;
        resolve(share);
      }
      function abort() {
        leave();
        reject(signal?.reason);
        startNext();
      }
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(entry);
      hurried?.then(start, start);
    });
  }

  /** What was taken; undefined where there is no room. */
  function tryTake(needed: number): number | undefined {
    const share = Math.min(needed, room());
    if (share > 0 && (waiting.size > 0 || taken + share > room())) return undefined;
    taken += share;
    return share;
  }

  function giveBack(share: number): void {
    const end = () => {
      taken -= share;
      startNext();
    };
    if (rest) void rest.clock.sleep((rest.ms * room()) / (limit * part())).then(end);
    else end();
  }

  /** Giving it back twice gives it back once. */
  function returnOf(share: number): () => void {
    let isTaken = true;
    return () => {
      if (isTaken) giveBack(share);
      isTaken = false;
    };
  }

  async function take(needed: number, options: WaitOptions): Promise<number> {
    options.signal?.throwIfAborted();
    return tryTake(needed) ?? wait(needed, options);
  }

  return {
    /**
     * Resolves with how to give `share` back. What needs more than there is at all has it alone; 0 waits for nobody.
     */
    acquire: async (share: number, options: WaitOptions = {}): Promise<() => void> =>
      returnOf(await take(share, options)),

    /** The same without a wait; undefined where there is no room. */
    tryAcquire(needed: number): (() => void) | undefined {
      const share = tryTake(needed);
      return share === undefined ? undefined : returnOf(share);
    },

    /** Does `work` while `share` is taken. Rejects as `work` does, or as the wait. */
    async hold<Result>(
      needed: number,
      work: () => Promise<Result>,
      options: WaitOptions = {},
    ): Promise<Result> {
      const share = await take(needed, options);
      try {
        return await work();
      } finally {
        giveBack(share);
      }
    },
  };
}
