import type { Clock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

/** How often something happened within the last so many milliseconds, wherever that time begins. */
export interface Window {
  /** It happens now. */
  add(): void;
  /**
   * Milliseconds until fewer than `room` lie in the window; where that will never be, until the window has passed
   * once.
   */
  waitMs(room: number): number;
}

export function createWindow(windowMs: number, clock: Pick<Clock, 'now'>): Window {
  /** In order. */
  const moments: number[] = [];
  const steady = steadyClock(clock);
  return {
    add: () => void moments.push(steady.now()),
    waitMs(room) {
      const now = steady.now();
      while (moments[0] !== undefined && moments[0] <= now - windowMs) moments.shift();
      if (room <= 0) return windowMs;
      const blocking = moments.at(-room);
      return blocking === undefined || moments.length < room ? 0 : blocking + windowMs - now;
    },
  };
}
