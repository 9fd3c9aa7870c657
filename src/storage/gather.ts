/** Rows of one statement at most: it has to end within the time of one operation, whatever they hold. */
const MOST = 500;

/**
 * What is asked for at one moment becomes one batch: `run` works on one at a time, and what comes meanwhile is gathered
 * into the next. An item is left out whose `signal` has aborted before its turn, or whose turn comes only after
 * `giveUpAfterMs`: nobody waits for it any more, and what it wrote might be older than what stands there by then. `run`
 * answers in the order of its items; where it rejects, so do all of them.
 */
export function gather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { giveUpAfterMs }: { giveUpAfterMs: number },
): (item: Item, signal?: AbortSignal) => Promise<Result> {
  interface Waiting {
    item: Item;
    since: number;
    signal: AbortSignal | undefined;
    resolve(result: Result): void;
    reject(reason: unknown): void;
  }
  const waiting: Waiting[] = [];
  let running = false;

  async function runAll(): Promise<void> {
    running = true;
    // Whoever asks in the same turn of the event loop comes along.
    await undefined;
    while (waiting.length > 0) {
      const now = performance.now();
      const batch = waiting.splice(0, MOST).filter(({ since, signal, reject }) => {
        const isLate = now - since >= giveUpAfterMs;
        if (signal?.aborted) reject(signal.reason);
        else if (isLate) reject(new Error(`its turn did not come within ${giveUpAfterMs} ms`));
        return !signal?.aborted && !isLate;
      });
      if (batch.length === 0) continue;
      try {
        const results = await run(batch.map(({ item }) => item));
        // One result stands for each item.
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (item, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), signal, resolve, reject });
      if (!running) void runAll();
    });
}
