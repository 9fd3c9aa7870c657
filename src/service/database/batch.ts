import { setImmediate } from 'node:timers/promises';

/** What became of one item of a batch. */
export type Outcome<Result> = { result: Result } | { error: unknown };

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Does together what is asked for at the same time: whatever arrives within a turn of the event loop, or while a batch
 * runs, is done together. So many callers share one durable commit, and a single caller waits for nobody. `run` answers with an outcome for each item,
 * in their order; where it rejects, every item of the batch does.
 */
export function createBatch<Item, Result>(
  max: number,
  run: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = false;

  async function runAll(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // SQLite answers without giving the event loop a turn, in which others would arrive.
      await setImmediate();
      const batch = waiting.splice(0, max);
      const outcomes = await run(batch.map(({ item }) => item)).catch((error: unknown) => ({ error }));
      batch.forEach(({ resolve, reject }, at) => {
        const outcome = 'error' in outcomes ? outcomes : outcomes[at];
        if (outcome && 'result' in outcome) resolve(outcome.result);
        else reject(outcome?.error);
      });
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void runAll();
    });
}
