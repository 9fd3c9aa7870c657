import type { Log } from './log.ts';

/** How to close what a program has opened so far. */
export interface Cleanup {
  /** `close` undoes what has just been opened. */
  add(close: () => unknown): void;
  /**
   * Closes everything once, the last opened first. What fails to close is logged, and keeps nothing else open. Never
   * rejects.
   */
  run(): Promise<void>;
}

export function createCleanup(log: Log): Cleanup {
  const steps: (() => unknown)[] = [];
  return {
    add: (close) => void steps.push(close),
    async run() {
      for (const close of steps.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          log.error({ err: error }, 'something could not be closed');
        }
      }
    },
  };
}
