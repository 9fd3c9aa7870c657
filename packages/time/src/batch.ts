import { setImmediate } from 'node:timers/promises';

/** Until when items are collected, before each batch. */
export const collectUntil = {
  /** The end of this turn of the event loop: for items of different requests. */
  endOfTurn: (): Promise<unknown> => setImmediate(),
  /**
   * The end of what promises that have just been resolved lead to: for items that one event, or an earlier batch,
   * brings together.
   */
  endOfMicrotasks: () => new Promise<void>((resolve) => process.nextTick(resolve)),
};

export interface BatchOptions {
  /** Items of one batch at most; any number unless given. */
  max?: number;
  /** How many batches run at a time; one unless given. */
  atOnce?: number;
  /** The end of this turn of the event loop unless given. */
  collect?: () => Promise<unknown>;
  /** Real milliseconds after which an item that still waits is given up. */
  giveUpAfterMs?: number;
}

/**
 * Collects items into batches: those of one moment, or that arrive while a batch runs. So callers share one durable
 * write or one read, and a single caller does not wait. `run` resolves with a result for each item, in their order,
 * or with an `Error` for those that fail; where it rejects, every item of the batch does. An item is left out whose
 * `signal` has aborted before its turn, or whose turn comes only after `giveUpAfterMs`: nobody waits for it any more.
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  {
    max = Number.POSITIVE_INFINITY,
    atOnce = 1,
    collect = collectUntil.endOfTurn,
    giveUpAfterMs = Number.POSITIVE_INFINITY,
  }: BatchOptions = {},
): (item: Item, signal?: AbortSignal) => Promise<Result> {
  interface Waiting {
    item: Item;
    since: number;
    signal: AbortSignal | undefined;
    resolve(result: Result): void;
    reject(reason: unknown): void;
  }
  const waiting: Waiting[] = [];
  // Looking at the clock is a good part of what an item costs.
  const now = giveUpAfterMs === Number.POSITIVE_INFINITY ? () => 0 : () => performance.now();
  let running = 0;

  function isWaitedFor({ since, signal, reject }: Waiting, at: number): boolean {
    const isLate = at - since >= giveUpAfterMs;
    if (signal?.aborted) reject(signal.reason);
    else if (isLate) reject(new Error(`its turn did not come within ${giveUpAfterMs} ms`));
    return !signal?.aborted && !isLate;
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result instanceof Error) reject(result);
        // One result stands for each item.
        else resolve(result as Result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runAll(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      await collect();
      const at = now();
      const batch = waiting.splice(0, max).filter((one) => isWaitedFor(one, at));
      if (batch.length > 0) await runBatch(batch);
    }
    running -= 1;
  }

  return (item, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: now(), signal, resolve, reject });
      if (running < atOnce) void runAll();
    });
}
