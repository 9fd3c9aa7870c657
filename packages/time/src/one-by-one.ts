import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Work of which there is one at a time for each key, first come, first served; other keys do not wait for it. */
export function createOneByOne<Key>() {
  const turnsOf = new Map<Key, { turns: Semaphore; asking: number }>();
  return {
    /** Rejects as `work` does, or with the reason of `signal`, which ends the wait. */
    async hold<Result>(
      key: Key,
      work: () => Promise<Result>,
      options?: { signal?: AbortSignal | undefined },
    ): Promise<Result> {
      const entry = turnsOf.get(key) ?? { turns: createSemaphore(1), asking: 0 };
      turnsOf.set(key, entry);
      entry.asking += 1;
      try {
        return await entry.turns.hold(1, work, options);
      } finally {
        entry.asking -= 1;
        if (entry.asking === 0) turnsOf.delete(key);
      }
    },
    /** How much of this key is done or waits. */
    asking: (key: Key): number => turnsOf.get(key)?.asking ?? 0,
  };
}
