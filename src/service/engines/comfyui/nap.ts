import type { Clock } from '../../../clock.ts';

export type Nap = ReturnType<typeof createNap>;

/** A pause between two looks, which can be cut short; also in advance, when the look is still going on. */
export function createNap(clock: Clock) {
  let alarm = new AbortController();
  return {
    wake: (): void => alarm.abort(),

    /** Rejects with the signal's reason once that aborts. */
    async sleep(ms: number, signal: AbortSignal): Promise<void> {
      await clock.sleep(ms, AbortSignal.any([signal, alarm.signal])).catch(() => undefined);
      if (alarm.signal.aborted) alarm = new AbortController();
      signal.throwIfAborted();
    },
  };
}
