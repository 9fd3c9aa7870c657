import { setImmediate } from 'node:timers/promises';

export type BatchResult<Result> = { result: Result } | { error: unknown };

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects items into batches: those that arrive within one turn of the event loop, or while a batch runs. So callers share
 * one durable commit or one read, and a single caller does not wait. `run` resolves with a result for each item, in their
 * order; where it rejects, every item of the batch does. At most `atOnce` batches run at a time.
 */
export function createBatch<Item, Result>(
  max: number,
  run: (items: readonly Item[]) => Promise<readonly BatchResult<Result>[]>,
  { atOnce = 1 }: { atOnce?: number } = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runAll(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      // SQLite is synchronous: without this, no other item could arrive.
      await setImmediate();
      const batch = waiting.splice(0, max);
      const results = await run(batch.map(({ item }) => item)).catch((error: unknown) => ({ error }));
      batch.forEach(({ resolve, reject }, at) => {
        const result = 'error' in results ? results : results[at];
        if (result && 'result' in result) resolve(result.result);
        else reject(result?.error);
      });
    }
    running--;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < atOnce) void runAll();
    });
}
