/** Whose turn it is on a connection that several callers use: what another one does would become part of a transaction. */
export interface ConnectionTurns {
  /** Runs `work` beside whatever else shares the connection. */
  share<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs `work` while nobody else uses the connection. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createConnectionTurns(): ConnectionTurns {
  const sharing = new Set<Promise<unknown>>();
  /** While somebody has it alone; resolves when that is over. */
  let taken: Promise<void> | undefined;

  return {
    async share(work) {
      while (taken) await taken;
      const working = work();
      sharing.add(working);
      try {
        return await working;
      } finally {
        sharing.delete(working);
      }
    },

    async alone(work) {
      while (taken) await taken;
      const working = Promise.allSettled(sharing).then(work);
      const giveBack = () => {
        taken = undefined;
      };
      taken = working.then(giveBack, giveBack);
      return working;
    },
  };
}
