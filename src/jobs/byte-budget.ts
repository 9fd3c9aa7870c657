/** How many bytes of pictures are in memory at once. Who comes first goes first. */
export interface ByteBudget {
  /**
   * Runs `work`, which holds about `bytes`, when there is room for them: at once where it holds none; what needs more than
   * there is at all runs alone. Rejects as `work` does, or with the reason of `signal` where that aborts the wait.
   */
  hold<Result>(bytes: number, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** `limit`: in bytes. */
export function createByteBudget(limit: number): ByteBudget {
  let held = 0;
  const waiting = new Set<{ bytes: number; start: () => void }>();

  function startNext(): void {
    for (const next of waiting) {
      if (held + next.bytes > limit) return;
      waiting.delete(next);
      held += next.bytes;
      next.start();
    }
  }

  function turn(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (bytes === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const entry = { bytes, start };
      function start() {
        signal.removeEventListener('abort', abort);
        resolve();
      }
      function abort() {
        waiting.delete(entry);
        reject(signal.reason);
        startNext();
      }
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(entry);
      startNext();
    });
  }

  return {
    async hold(bytes, work, signal) {
      const share = Math.min(bytes, limit);
      await turn(share, signal);
      try {
        return await work();
      } finally {
        held -= share;
        startNext();
      }
    },
  };
}
