import { setTimeout as delay } from 'node:timers/promises';

/** The longest that Node's timers can wait, about 25 days. They fire at once when asked for more. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time as a dependency: tests pass a clock whose waits they assert. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or 25 days where that is more; rejects with an `AbortError` once `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const machineClock = ({ ref }: { ref: boolean }): Clock => ({
  now: () => Date.now(),
  async sleep(ms, signal) {
    await delay(Math.min(ms, LONGEST_TIMER_MS), undefined, { ref, ...(signal && { signal }) });
  },
});

/** The machine's time. Its sleepers do not keep the process alive (their timers are unref'd). */
export const systemClock = machineClock({ ref: false });

/**
 * The machine's time with ref'd timers: its sleepers keep the process alive, for a program that may have nothing but
 * this wait.
 */
export const refdClock = machineClock({ ref: true });
