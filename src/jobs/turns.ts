import type { Clock } from '@darkroom/time';

/** Lets only so much of a kind of work be under way at once; the rest waits, first come, first served. */
export interface Turns {
  /** Does `work` when its turn has come, or once `hurried` settles, whatever else is under way. */
  run<Result>(work: () => Promise<Result>, hurried?: Promise<unknown>): Promise<Result>;
}

/** A turn is free again `restMs` after its work has ended, so that work that ends quickly is not begun without a pause. */
export function createTurns({
  atOnce,
  restMs,
  clock,
}: {
  atOnce: number;
  restMs: number;
  clock: Clock;
}): Turns {
  const waiting = new Set<() => void>();
  let underWay = 0;
  return {
    async run(work, hurried) {
      if (underWay >= atOnce) {
        await new Promise<void>((resolve) => {
          const begin = () => {
            waiting.delete(begin);
            resolve();
          };
          waiting.add(begin);
          hurried?.then(begin, begin);
        });
      }
      underWay += 1;
      try {
        return await work();
      } finally {
        void clock.sleep(restMs).then(() => {
          underWay -= 1;
          const [next] = waiting;
          if (underWay < atOnce) next?.();
        });
      }
    },
  };
}
