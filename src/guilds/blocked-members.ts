import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';

/** A member who may ask for no pictures in a server. */
const block = z.object({
  /** Who decided it. */
  by: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Likewise; for ever unless given. */
  until: z.number().optional(),
});
export type Block = z.infer<typeof block>;

/** What counts for a row that cannot be read: its member stays blocked until a moderator decides anew. */
const UNREADABLE_BLOCK: Block = { by: 'unknown', at: 0 };

/** Who is blocked in which server. */
export interface BlockedMembers {
  find(guildId: string | null, memberId: string): Promise<Block | undefined>;
  /** `forMs`: for ever unless given. In place of an earlier one. */
  block(
    guildId: string,
    memberId: string,
    options: { by: string; forMs?: number | undefined },
  ): Promise<Block>;
  /** Says whether they were blocked. */
  unblock(guildId: string, memberId: string): Promise<boolean>;
  ofGuild(guildId: string): Promise<(Block & { memberId: string })[]>;
  /** Where a member is blocked. It reads all blocks there are. */
  ofMember(memberId: string): Promise<(Block & { guildId: string })[]>;
  /** The servers in which somebody is blocked. */
  guildIds(): Promise<string[]>;
  /** Forgets everything of a server. */
  purgeGuild(guildId: string): Promise<void>;
}

export function createBlockedMembers({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: Log;
}): BlockedMembers {
  const blocks = store.collection(
    'blocked',
    block.catch(() => UNREADABLE_BLOCK),
  );
  const idOf = (guildId: string, memberId: string) => `${guildId}:${memberId}`;
  const isStanding = ({ until }: Block) => until === undefined || until > clock.now();

  async function find(guildId: string | null, memberId: string): Promise<Block | undefined> {
    if (guildId === null) return undefined;
    const id = idOf(guildId, memberId);
    const found = await blocks.get(id);
    if (found === UNREADABLE_BLOCK) {
      log.error({ collection: 'blocked', id }, 'a block cannot be read: it holds until a moderator lifts it');
    }
    return found && isStanding(found) ? found : undefined;
  }

  async function ofGuild(guildId: string) {
    const listed = await blocks.list({ prefix: `${guildId}:` });
    return listed
      .filter(({ value }) => isStanding(value))
      .map(({ id, value }) => ({ ...value, memberId: id.slice(guildId.length + 1) }));
  }

  return {
    find,
    ofGuild,

    async ofMember(memberId) {
      const listed = await blocks.list();
      return listed
        .filter(({ id, value }) => id.endsWith(`:${memberId}`) && isStanding(value))
        .map(({ id, value }) => ({ ...value, guildId: id.slice(0, id.indexOf(':')) }));
    },

    async guildIds() {
      const listed = await blocks.list();
      return [...new Set(listed.map(({ id }) => id.slice(0, id.indexOf(':'))))];
    },

    async block(guildId, memberId, { by, forMs }) {
      const at = clock.now();
      const blocked = { by, at, ...(forMs !== undefined && { until: at + forMs }) };
      await blocks.set(idOf(guildId, memberId), blocked, forMs);
      return blocked;
    },

    async unblock(guildId, memberId) {
      const blocked = (await find(guildId, memberId)) !== undefined;
      await blocks.delete(idOf(guildId, memberId));
      return blocked;
    },

    purgeGuild: (guildId) => blocks.deleteAll(`${guildId}:`),
  };
}
