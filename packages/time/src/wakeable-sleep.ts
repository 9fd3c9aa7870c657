import type { Clock } from './clock.ts';

export type WakeableSleep = ReturnType<typeof createWakeableSleep>;

/**
 * A sleep that others can cut short, for one sleeper: a loop that polls, and can be told that there is something to
 * do. No wake-up is lost while it works.
 */
export function createWakeableSleep(clock: Clock) {
  let alarm = new AbortController();
  return {
    /** Ends the sleep; where nobody sleeps at the moment, the next sleep ends at once. */
    wake: () => alarm.abort(),

    /** Resolves after `ms`, or earlier when woken. Rejects with the signal's reason once that aborts. */
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      // Not `AbortSignal.any`, which on Node 20 keeps an entry in a long-lived signal for every call.
      const wake = () => alarm.abort();
      signal?.addEventListener('abort', wake, { once: true });
      if (signal?.aborted) wake();
      await clock.sleep(ms, alarm.signal).catch(() => undefined);
      signal?.removeEventListener('abort', wake);
      if (alarm.signal.aborted) alarm = new AbortController();
      signal?.throwIfAborted();
    },
  };
}
