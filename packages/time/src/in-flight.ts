/** Work that has begun and that a stop waits for. */
export function createInFlight() {
  const inFlight = new Set<Promise<unknown>>();
  return {
    /** Resolves and rejects as `work`, which is then no longer in flight. */
    add<Result>(work: Promise<Result>): Promise<Result> {
      const tracked = work.finally(() => inFlight.delete(tracked));
      inFlight.add(tracked);
      return tracked;
    },
    /** Resolves once all that is in flight now has ended, however it did. */
    async settled(): Promise<void> {
      await Promise.allSettled(inFlight);
    },
  };
}
