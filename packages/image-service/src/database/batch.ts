import { setImmediate } from 'node:timers/promises';

export type BatchResult<Result> = { result: Result } | { error: unknown };

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Until when items are collected, before each batch. */
export const gatherUntil = {
  /** The end of this turn of the event loop: for items of different requests. SQLite is synchronous: before it, no other arrives. */
  endOfTurn: (): Promise<unknown> => setImmediate(),
  /** The end of what promises that have just been resolved lead to: for items that an earlier batch releases together. */
  endOfMicrotasks: () => new Promise<void>((resolve) => process.nextTick(resolve)),
};

/**
 * Collects items into batches: those that arrive until the end of this turn of the event loop, unless `gather` says otherwise,
 * or while a batch runs. So callers share one durable commit or one read, and a single caller does not wait. `run` resolves
 * with a result for each item, in their order; where it rejects, every item of the batch does. At most `atOnce` batches run
 * at a time.
 */
export function createBatch<Item, Result>(
  max: number,
  run: (items: readonly Item[]) => Promise<readonly BatchResult<Result>[]>,
  { atOnce = 1, gather = gatherUntil.endOfTurn }: { atOnce?: number; gather?: () => Promise<unknown> } = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runAll(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      await gather();
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
