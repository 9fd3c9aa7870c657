import { setTimeout as delay } from 'node:timers/promises';

/** The longest that Node's timers can wait, about 25 days. They fire at once when asked for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time as a dependency: tests pass a clock whose waits they assert. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or 25 days where that is more; rejects with an `AbortError` once `signal` aborts. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await delay(Math.min(ms, LONGEST_TIMER_MS), undefined, { ref: false, ...(signal && { signal }) });
  },
};
