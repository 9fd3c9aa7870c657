import type { Log } from '@darkroom/process';
import { type Clock, createBreaker, createWakeableSleep, HOUR_MS, steadyClock } from '@darkroom/time';
import { classifyDiscordError } from './classify-discord-error.ts';

/** Discord is down when so many calls in a row have failed. */
const FAILURE_THRESHOLD = 5;

/** While it is down, one call is let through each time that so much has passed, in milliseconds. */
const TRIAL_INTERVAL_MS = 4_000;

/** Over how many milliseconds those that waited are spread once it is back: all come within ten seconds. */
const SPREAD_MS = 5_000;

/** Only the first in line tries; the others look again after this long, should nobody wake them. */
const LOOK_AGAIN_MS = HOUR_MS;

/** What all deliveries know together of whether Discord answers: one of them finds out, the others wait for it. */
export type Outage = ReturnType<typeof createOutage>;

export function createOutage({ clock: machineClock, log }: { clock: Clock; log: Log }) {
  const clock = steadyClock(machineClock);
  /** Those that wait, in order, each by how it is woken. */
  const waiting = new Set<() => void>();
  const breaker = createBreaker({
    threshold: FAILURE_THRESHOLD,
    trialMs: TRIAL_INTERVAL_MS,
    clock,
    isDown(error) {
      const failure = classifyDiscordError(error);
      if (failure.kind !== 'temporary') return false;
      return failure.mayHaveArrived ? true : undefined;
    },
    onOpen: (error) => log.error({ err: error }, 'Discord does not answer'),
    onClose() {
      log.info({ waiting: waiting.size }, 'Discord answers again');
      for (const wake of waiting) wake();
    },
  });
  const { isOpen: isDown, admit, observe } = breaker;

  /**
   * Resolves with true for a trial, with false once Discord is back, or at `until`. Only the first of those that wait
   * tries.
   */
  async function waitForTrial(signal: AbortSignal, until: number): Promise<boolean> {
    const pause = createWakeableSleep(clock);
    waiting.add(pause.wake);
    try {
      while (isDown() && clock.now() < until) {
        if (admit()) return true;
        const [first] = waiting;
        const trialMs = first === pause.wake ? breaker.trialInMs() : LOOK_AGAIN_MS;
        await pause.sleep(Math.min(trialMs, until - clock.now()), signal);
      }
      return false;
    } finally {
      waiting.delete(pause.wake);
      const [first] = waiting;
      first?.();
    }
  }

  /**
   * Resolves with true when a call may be made, and with false where Discord is still down after `withinMs`. Rejects
   * with the reason of `signal`.
   */
  async function untilAdmitted(signal: AbortSignal, withinMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const until = clock.now() + withinMs;
    while (isDown()) {
      if (await waitForTrial(signal, until)) return true;
      if (clock.now() >= until) return !isDown();
      await clock.sleep(Math.random() * SPREAD_MS, signal);
    }
    return true;
  }

  return {
    isDown,
    admit,
    observe,
    untilAdmitted,
    /** When to try again, in milliseconds, for a caller that does not wait here; drawn anew each time. */
    comeBackMs: (): number => Math.round(TRIAL_INTERVAL_MS + Math.random() * SPREAD_MS),

    /**
     * For a caller that has given up for now: resolves after `ms`, or while Discord is down, as soon as a call may be
     * made. Rejects with the reason of `signal`.
     */
    async rest(ms: number, signal: AbortSignal): Promise<void> {
      if (isDown()) await untilAdmitted(signal, ms);
      else await clock.sleep(ms, signal);
    },
  };
}
