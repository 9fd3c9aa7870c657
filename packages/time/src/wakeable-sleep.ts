import type { Clock } from './clock.ts';

/** A sleep that others can cut short. For one sleeper. */
export interface WakeableSleep {
  /** Ends the sleep; where nobody sleeps at the moment, the next sleep ends at once. */
  wake(): void;
  /** Resolves after `ms`, or earlier when woken. Rejects with the signal's reason once that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** For a loop that polls, and can be told that there is something to do: no wake-up is lost while it works. */
export function createWakeableSleep(clock: Clock): WakeableSleep {
  let alarm = new AbortController();
  return {
    wake: () => alarm.abort(),

    async sleep(ms, signal) {
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
