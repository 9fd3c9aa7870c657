import type { Log } from './log.ts';

/** What a program has started so far, to be closed in order. */
export interface Parts {
  /** `close`: ends a part that has just been started. */
  add(close: () => unknown): void;
  /** Closes every part once, the last one first. One that fails is logged, and keeps no other open. Never rejects. */
  close(): Promise<void>;
}

export function createParts(log: Log): Parts {
  const closings: (() => unknown)[] = [];
  return {
    add: (close) => void closings.push(close),
    async close() {
      for (const close of closings.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          log.error({ err: error }, 'a part did not close in order');
        }
      }
    },
  };
}
