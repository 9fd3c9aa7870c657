import { type Clock, createCache } from '@darkroom/time';

/** Within these milliseconds a second press is the same one, also where the first has its answer already. */
const SAME_PRESS_MS = 3_000;

/** Of more presses than these within that time, the oldest are forgotten. */
const MOST = 10_000;

/**
 * Presses of a moment ago, so that a double click acts once. In memory: the interactions of a server, and all direct
 * messages, come to one process.
 */
export type Presses = ReturnType<typeof createPresses>;

export function createPresses({ clock }: { clock: Pick<Clock, 'now'> }) {
  const pressed = createCache<string, true>({ max: MOST, ttlMs: SAME_PRESS_MS, clock });
  /** Whose work still runs: to fetch and send a picture takes longer than a moment. */
  const underWay = new Set<string>();

  return {
    /**
     * Does `work` unless the same is being done, or was begun a moment ago; says whether it did. `key`: who pressed
     * what. What rejects counts as not done.
     */
    async once(key: string, work: () => Promise<void>): Promise<boolean> {
      if (pressed.get(key) || underWay.has(key)) return false;
      pressed.set(key, true);
      underWay.add(key);
      try {
        await work();
      } catch (error) {
        pressed.delete(key);
        throw error;
      } finally {
        underWay.delete(key);
      }
      return true;
    },
  };
}
