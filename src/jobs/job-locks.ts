/** Takes a job from every other process; resolves with how to give it back, or undefined where another one has it. */
export type LockJob = (id: string) => Promise<(() => Promise<void>) | undefined>;

/** What is done with a job is done once at a time: in this process, and where it must be, in all of them. */
export function createJobLocks({
  runsHere,
  lockJob,
}: {
  runsHere(id: string): boolean;
  /** Undefined where there is no other process. */
  lockJob: LockJob | undefined;
}) {
  const locked = new Set<string>();

  return {
    /** Does `work` where the job neither runs nor is locked here; otherwise nothing, and the result is undefined. */
    async inThisProcess<Result>(id: string, work: () => Promise<Result>): Promise<Result | undefined> {
      if (runsHere(id) || locked.has(id)) return undefined;
      locked.add(id);
      try {
        return await work();
      } finally {
        locked.delete(id);
      }
    },

    /**
     * Keeps every other process from the job while `work` runs; does nothing, and the result is undefined, where one of
     * them has it. This process is not looked at.
     */
    async amongProcesses<Result>(id: string, work: () => Promise<Result>): Promise<Result | undefined> {
      if (!lockJob) return work();
      const unlock = await lockJob(id);
      if (!unlock) return undefined;
      try {
        return await work();
      } finally {
        await unlock().catch(() => undefined);
      }
    },
  };
}
