import { LONGEST_TIMER_MS } from '../clock.ts';
import { abortError } from './fake-clock.ts';

export type FastClock = ReturnType<typeof createFastClock>;

/** It is `time` when the machine's clock says `real`; both in milliseconds since the epoch. */
export interface ClockOrigin {
  real: number;
  time: number;
}

/**
 * A clock that runs faster than the machine's and can be advanced, for tests with real sockets, which need real time, of
 * waits that are too long for a test. Everything that shares it sees the same time.
 */
export function createFastClock({
  factor = 10,
  origin = { real: Date.now(), time: Date.now() },
}: {
  /** How many of its milliseconds pass in one real millisecond. */
  factor?: number;
  origin?: ClockOrigin;
} = {}) {
  let advancedMs = 0;
  const sleepers = new Set<{ ms: number; rearm: () => void }>();
  const now = () => Math.floor(origin.time + (Date.now() - origin.real) * factor + advancedMs);

  return {
    factor,
    now,
    /** Makes `ms` pass at once; wakes every sleeper that is due by then. */
    advance(ms: number): void {
      advancedMs += ms;
      for (const sleeper of [...sleepers]) sleeper.rearm();
    },
    /** How long each current sleeper asked to sleep, in milliseconds. `advance` wakes only those that sleep already. */
    sleeps: (): readonly number[] => [...sleepers].map(({ ms }) => ms),
    /** For another process, whose clock then shows the same time until one of them is advanced. */
    origin: (): ClockOrigin => ({ real: Date.now(), time: now() }),
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
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
            const leftMs = (dueAt - now()) / factor;
            timer = setTimeout(wake, Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS)).unref();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        sleeper.rearm();
      });
    },
  };
}
