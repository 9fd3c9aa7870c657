import type { Log } from './log.ts';

export type Cleanup = ReturnType<typeof createCleanup>;

/** How to close what a program has opened so far. */
export function createCleanup(log: Log) {
  const steps: (() => unknown)[] = [];
  return {
    /** `close` undoes what has just been opened. */
    add: (close: () => unknown): void => void steps.push(close),

    /**
     * Closes everything once, the last opened first. What fails to close is logged, and keeps nothing else open. Never
     * rejects.
     */
    async run(): Promise<void> {
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

/** What `use` does with something that is closed after it, whatever comes of it. */
export async function whileOpen<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}
