export type FakeClock = ReturnType<typeof createFakeClock>;

/**
 * A clock that moves only by `advance`. With `jumps`, every `sleep` moves the time to its own end and resolves at
 * once: for code that waits between real connections.
 */
export function createFakeClock({ startAt = Date.UTC(2026, 0, 1), jumps = false } = {}) {
  let now = startAt;
  const sleeps: number[] = [];
  const sleepers = new Set<{ dueAt: number; wake: () => void }>();

  /** Lets pending promises and a few turns of the event loop run; time stands still. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }

  const nextDue = (until: number) =>
    [...sleepers].filter(({ dueAt }) => dueAt <= until).sort((one, other) => one.dueAt - other.dueAt)[0];

  /**
   * Lets `ms` pass: wakes each sleeper that is due, in order and at its own moment, and lets what follows from it
   * settle before time goes on. A loop that sleeps again within `ms` is woken again.
   */
  async function advance(ms: number): Promise<void> {
    const until = now + ms;
    await settle();
    for (let next = nextDue(until); next; next = nextDue(until)) {
      now = Math.max(now, next.dueAt);
      next.wake();
      await settle();
    }
    now = until;
    await settle();
  }

  return {
    /** Every wait that was asked for, in milliseconds, in order. */
    sleeps,
    /** How many sleep now. */
    get asleep(): number {
      return sleepers.size;
    },
    now: (): number => now,
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      sleeps.push(ms);
      if (signal?.aborted) return Promise.reject(abortError(signal));
      if (jumps) {
        now += ms;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const sleeper = { dueAt: now + Math.max(0, ms), wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
        function wake() {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
          resolve();
        }
        function abort() {
          sleepers.delete(sleeper);
          reject(abortError(signal));
        }
      });
    },
    advance,
    /** Lets `ms` pass at once, as on a machine that was suspended: who is due by then wakes at its end. */
    suspend(ms: number): Promise<void> {
      now += ms;
      return advance(0);
    },
    /** Sets the time back by `ms`; who sleeps wakes when they would have, as timers do. */
    setBack(ms: number): void {
      now -= ms;
      for (const sleeper of sleepers) sleeper.dueAt -= ms;
    },
    settle,
  };
}

/** As `node:timers/promises` rejects, which is what the system's clock sleeps on. */
export const abortError = (signal: AbortSignal | undefined) =>
  Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });
