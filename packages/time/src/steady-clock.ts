import type { Clock } from './clock.ts';

/** `clock`, whose time stands still where it was set back, and goes on from there. Its moments are its own. */
export function steadyClock<Given extends Pick<Clock, 'now'>>(clock: Given): Given {
  let seenAt = clock.now();
  let setBackMs = 0;
  return {
    ...clock,
    now() {
      const now = clock.now();
      setBackMs += Math.max(0, seenAt - now);
      seenAt = now;
      return now + setBackMs;
    },
  };
}
