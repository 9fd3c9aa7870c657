/** Work that has begun and that a stop waits for. */
export interface InFlight {
  /** Resolves and rejects as `work`, which is then no longer in flight. */
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves once all that is in flight now has ended, however it did. */
  settled(): Promise<void>;
}

export function createInFlight(): InFlight {
  const inFlight = new Set<Promise<unknown>>();
  return {
    add(work) {
      const tracked = work.finally(() => inFlight.delete(tracked));
      inFlight.add(tracked);
      return tracked;
    },
    async settled() {
      await Promise.allSettled(inFlight);
    },
  };
}
