import { type KeptData, type KeptDataDependencies, keptData } from './kept-data.ts';

/** For how many days what is kept. */
export interface Retention {
  /** What is over: requests, what a server has used, and its audit log. */
  history: number;
  /** A picture that waits for its member. */
  waiting: number;
}

/** What the bot knows of people and servers, for them to read, and to have forgotten. */
export type Privacy = ReturnType<typeof createPrivacy>;

export function createPrivacy(deps: KeptDataDependencies) {
  const { store, jobs } = deps;
  const parts: KeptData = keptData(deps);

  return {
    /** Everything of a member, by its part, without secrets. */
    async exportMember(memberId: string): Promise<Readonly<Record<string, unknown>>> {
      const exported: Record<string, unknown> = {};
      for (const [name, part] of Object.entries(parts)) {
        if (part.ofMember) exported[name] = (await part.ofMember(memberId)) ?? null;
      }
      return exported;
    },

    /**
     * Forgets a member, but for what still runs; says how many requests that is. What is repeated does no harm. `wiped`:
     * see `Store.wipeDeleted`.
     */
    async eraseMember(memberId: string): Promise<{ running: number; wiped: Promise<boolean> }> {
      for (const part of Object.values(parts)) await part.eraseMember?.(memberId);
      const { wiped } = await store.wipeDeleted();
      // Also what has ended since the jobs were erased.
      return { running: (await jobs.ofMember(memberId)).length, wiped };
    },

    /** Every server of which something is kept, but for those that have only linked a key. */
    async guildIds(): Promise<string[]> {
      const ids = Object.values(parts).map((part) => part.guildIds?.() ?? []);
      return [...new Set((await Promise.all(ids)).flat())];
    },

    /** Forgets a server. What is repeated does no harm. */
    async purgeGuild(guildId: string): Promise<void> {
      for (const part of Object.values(parts)) await part.purgeGuild?.(guildId);
      await store.wipeDeleted();
    },
  };
}
