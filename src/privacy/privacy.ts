import type { Store } from '../storage/store.ts';
import { type KeptData, type KeptDataDependencies, keptData } from './kept-data.ts';

/** What the bot knows of people and servers, for them to read, and to have forgotten. */
export interface Privacy {
  /** Everything of a member, by its part, without secrets. */
  exportMember(memberId: string): Promise<Readonly<Record<string, unknown>>>;
  /** Forgets a member, but for what still runs; says how many requests that is. What is repeated does no harm. */
  eraseMember(memberId: string): Promise<{ running: number }>;
  /** Every server of which something is kept, but for those that have only linked a key. */
  guildIds(): Promise<string[]>;
  /** Forgets a server. What is repeated does no harm. */
  purgeGuild(guildId: string): Promise<void>;
}

export function createPrivacy(deps: KeptDataDependencies & { store: Store }): Privacy {
  const { store, jobs } = deps;
  const parts: KeptData = keptData(deps);

  return {
    async exportMember(memberId) {
      const exported: Record<string, unknown> = {};
      for (const [name, part] of Object.entries(parts)) {
        if (part.exportMember) exported[name] = (await part.exportMember(memberId)) ?? null;
      }
      return exported;
    },

    async eraseMember(memberId) {
      for (const part of Object.values(parts)) await part.eraseMember?.(memberId);
      await store.wipeDeleted();
      // Also what has ended since the jobs were erased.
      return { running: (await jobs.ofMember(memberId)).length };
    },

    async guildIds() {
      const ids = Object.values(parts).map((part) => part.guildIds?.() ?? []);
      return [...new Set((await Promise.all(ids)).flat())];
    },

    async purgeGuild(guildId) {
      for (const part of Object.values(parts)) await part.purgeGuild?.(guildId);
      await store.wipeDeleted();
    },
  };
}
