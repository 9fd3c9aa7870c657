import type { Clock } from './clock.ts';

interface RepeatOptions {
  /** How long it rests after each time, in milliseconds; drawn anew each time where it is a function. */
  everyMs: number | (() => number);
  /** A clock, or a sleep that others can cut short. */
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  /** Hears of each time that failed, unless `signal` had aborted by then. The next one follows all the same. */
  onError?(error: unknown): void;
}

/**
 * Does `work` at once and again after each rest, until `signal` aborts; resolves when the last time is over. Never
 * rejects.
 */
export async function repeat(
  work: () => Promise<unknown>,
  { everyMs, clock, signal, onError = () => undefined }: RepeatOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await clock.sleep(typeof everyMs === 'function' ? everyMs() : everyMs, signal).catch(() => undefined);
  }
}
