import type { Clock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

/** How often something happened within the last so many milliseconds, wherever that time begins. */
export function createWindow(windowMs: number, clock: Pick<Clock, 'now'>) {
  /** In order. */
  const moments: number[] = [];
  const steady = steadyClock(clock);
  return {
    /** It happens now. */
    add: (): void => void moments.push(steady.now()),

    /**
     * Milliseconds until fewer than `room` lie in the window; where that will never be, until the window has passed
     * once.
     */
    waitMs(room: number): number {
      const now = steady.now();
      while (moments[0] !== undefined && moments[0] <= now - windowMs) moments.shift();
      if (room <= 0) return windowMs;
      const blocking = moments.at(-room);
      return blocking === undefined || moments.length < room ? 0 : blocking + windowMs - now;
    },
  };
}
