import type { Clock } from '@darkroom/time';

/** What a server is spared for a while, twice as long each time. */
export function createPause({ firstMs, maxMs, clock }: { firstMs: number; maxMs: number; clock: Clock }) {
  let until = Number.NEGATIVE_INFINITY;
  let count = 0;
  const leftMs = () => Math.max(0, until - clock.now());
  return {
    /** Milliseconds until it is over; 0 where it is. */
    leftMs,
    /** How many have begun in a row. */
    count: () => count,
    /** Its milliseconds; undefined where one is under way, which becomes no longer. */
    begin(): number | undefined {
      if (leftMs() > 0) return undefined;
      const ms = Math.min(maxMs, firstMs * 2 ** count);
      count += 1;
      until = clock.now() + ms;
      return ms;
    },
    /** All is well again: the next one is as long as the first. */
    end(): void {
      until = Number.NEGATIVE_INFINITY;
      count = 0;
    },
  };
}
