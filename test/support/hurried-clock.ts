import type { Clock } from '../../src/clock.ts';
import { abortError } from './clock.ts';

/** Time that runs faster than the machine's own and can leap. Whoever shares it agrees on what time it is. */
export interface HurriedClock extends Clock {
  /** How many of its milliseconds pass in one of the machine's. */
  readonly factor: number;
  /** Makes `ms` pass at once; wakes every sleeper that is due by then. */
  leap(ms: number): void;
  /** How long everybody who sleeps now meant to sleep, in milliseconds: a leap wakes only who sleeps already. */
  sleeps(): readonly number[];
  /** From which another process makes a clock that shows the same time, until one of them leaps. */
  origin(): ClockOrigin;
}

/** It is `time` when the machine's clock says `real`; both in milliseconds since the epoch. */
export interface ClockOrigin {
  real: number;
  time: number;
}

/** Real sockets need real time, and fifteen minutes are too long for a test. */
export function createHurriedClock({
  factor = 10,
  origin = { real: Date.now(), time: Date.now() },
}: {
  factor?: number;
  origin?: ClockOrigin;
} = {}): HurriedClock {
  let leapt = 0;
  const sleepers = new Set<{ ms: number; rearm: () => void }>();
  const now = () => Math.floor(origin.time + (Date.now() - origin.real) * factor + leapt);

  return {
    factor,
    now,
    leap(ms) {
      leapt += ms;
      for (const sleeper of [...sleepers]) sleeper.rearm();
    },
    sleeps: () => [...sleepers].map(({ ms }) => ms),
    origin: () => ({ real: Date.now(), time: now() }),
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.reject(abortError(signal));
      const dueAt = now() + ms;
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const end = () => {
          clearTimeout(timer);
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = () => {
          end();
          reject(abortError(signal));
        };
        const wake = () => {
          if (now() < dueAt) return sleeper.rearm();
          end();
          resolve();
        };
        const sleeper = {
          ms,
          rearm() {
            clearTimeout(timer);
            timer = setTimeout(wake, Math.max(0, (dueAt - now()) / factor)).unref();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        sleeper.rearm();
      });
    },
  };
}
