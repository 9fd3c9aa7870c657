import type { Clock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

export type Cache<Key, Value> = ReturnType<typeof createCache<Key, Value>>;

/**
 * Values in the memory of this process, never undefined: each holds for `ttlMs` after it was set, and of more than
 * `max` the oldest are forgotten.
 */
export function createCache<Key, Value>({
  max,
  ttlMs,
  clock: machineClock,
}: {
  max: number;
  ttlMs: number;
  clock: Pick<Clock, 'now'>;
}) {
  const clock = steadyClock(machineClock);
  /** The oldest first. */
  const entries = new Map<Key, { value: Value; until: number }>();

  /** Undefined where it is not known, or not any more. */
  function get(key: Key): Value | undefined {
    const entry = entries.get(key);
    return entry && clock.now() < entry.until ? entry.value : undefined;
  }

  function set(key: Key, value: Value): void {
    entries.delete(key);
    entries.set(key, { value, until: clock.now() + ttlMs });
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  }

  return {
    get,
    set,
    delete: (key: Key): void => void entries.delete(key),

    /**
     * What is known; otherwise what `make` returns, which is known from now on. A promise is made once for all who ask,
     * and made anew once it has rejected.
     */
    recall(key: Key, make: () => Value): Value {
      const known = get(key);
      if (known !== undefined) return known;
      const made = make();
      set(key, made);
      if (made instanceof Promise)
        made.catch(() => {
          if (entries.get(key)?.value === made) entries.delete(key);
        });
      return made;
    },
  };
}
