import { z } from 'zod';
import type { Row, Store } from './store.ts';

/** The servers of which rows are kept under `GUILD:…`: Keyv lists ranges of ids, not what they begin with. */
export interface KnownGuilds {
  /** To be written with what is kept of a server for so long. */
  row(guildId: string, ttl: number): Row;
  list(): Promise<string[]>;
  forget(guildId: string): Promise<void>;
}

export function createKnownGuilds({ store }: { store: Store }): KnownGuilds {
  const rows = store.collection('guilds', z.object({}).catch({}));
  return {
    row: (guildId, ttl) => rows.row(guildId, {}, ttl),
    list: async () => (await rows.list()).map(({ id }) => id),
    forget: (guildId) => rows.delete(guildId),
  };
}
