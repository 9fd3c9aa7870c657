import type { Clock } from '../../../clock.ts';
import type { Development } from '../engine.ts';

/** Shows developments at the pace of a picture that takes `paceMs`, however fast they really came. */
export interface Showing {
  add(development: Development): void;
  /** Resolves when all that was added has been shown and the pretended time is over. */
  finish(): Promise<void>;
}

/**
 * The waiting is done here, on timers, so that a worker thread is free for the next picture as soon as it can be.
 * Once `signal` aborts, nothing more is shown and `finish` rejects.
 */
export function createShowing(wiring: {
  paceMs: number;
  clock: Clock;
  signal: AbortSignal;
  show(development: Development): void;
}): Showing {
  const { paceMs, clock, signal, show } = wiring;
  const began = clock.now();
  let reached = -1;
  let turn: Promise<void> = Promise.resolve();

  async function until(share: number): Promise<void> {
    const wait = began + paceMs * share - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
  }

  async function next(development: Development): Promise<void> {
    await until(development.percent / 100);
    reached = Math.max(reached, development.percent);
    show({ ...development, percent: reached });
  }

  return {
    add(development) {
      turn = turn.then(() => next(development));
      turn.catch(() => undefined);
    },
    async finish() {
      await turn;
      await until(1);
    },
  };
}
