import { z } from 'zod';
import type { Row } from './collection.ts';
import type { Store } from './store.ts';

/**
 * The servers of which rows are kept under ids `GUILD:…`. Listed apart: a store lists the rows of one server, but not
 * which servers there are.
 */
export type KnownGuilds = ReturnType<typeof createKnownGuilds>;

export function createKnownGuilds({ store }: { store: Store }) {
  const rows = store.collection('guilds', z.object({}).catch({}));
  return {
    /** To be written with what is kept of a server for so long. */
    row: (guildId: string, ttl: number): Row => rows.row(guildId, {}, ttl),
    guildIds: (): Promise<string[]> => rows.ids(),
    purgeGuild: (guildId: string): Promise<void> => rows.delete(guildId),
  };
}
