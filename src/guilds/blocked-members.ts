import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';

/** A member who may ask for no pictures in a server. */
const blockRow = z.object({
  by: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Likewise; for ever unless given. */
  until: z.number().optional(),
});
export type Block = z.infer<typeof blockRow>;

/** What counts for a row that cannot be read: its member stays blocked until a moderator decides anew. */
const UNREADABLE_BLOCK: Block = { by: 'unknown', at: 0 };

interface Decision {
  /** The moderator. */
  by: string;
  /** For ever unless given. */
  forMs?: number | undefined;
}

export type BlockedMembers = ReturnType<typeof createBlockedMembers>;

export function createBlockedMembers({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
  const blocks = store.collection(
    'blocked',
    blockRow.catch(() => UNREADABLE_BLOCK),
  );
  const idOf = (guildId: string, memberId: string) => `${guildId}:${memberId}`;
  const guildIdOf = (id: string) => id.slice(0, id.indexOf(':'));
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

  const madeNow = ({ by, forMs }: Decision): Block => {
    const at = clock.now();
    return { by, at, ...(forMs !== undefined && { until: at + forMs }) };
  };

  /** In place of an earlier one. */
  async function block(guildId: string, memberId: string, decision: Decision): Promise<Block> {
    const blocked = madeNow(decision);
    await blocks.set(idOf(guildId, memberId), blocked, decision.forMs);
    return blocked;
  }

  return {
    find,
    ofGuild,
    block,

    /** Resolves with when it ends; undefined where another one lasts longer, which then stays. */
    async blockAtLeast(
      guildId: string,
      memberId: string,
      decision: Decision & { forMs: number },
    ): Promise<number | undefined> {
      const id = idOf(guildId, memberId);
      const blocked = madeNow(decision);
      const { until = Number.POSITIVE_INFINITY } = blocked;
      // When a row expires stays, however it is changed: a shorter one makes room for this one. A process that dies
      // between the two leaves the member unblocked, and whoever decides without an answer.
      while (!(await store.insert([blocks.row(id, blocked, decision.forMs)]))) {
        let stays = false;
        await blocks.update(id, (other) => {
          stays = (other.until ?? Number.POSITIVE_INFINITY) > until;
          return stays ? undefined : null;
        });
        if (stays) return undefined;
      }
      return until;
    },

    /** Where a member is blocked. */
    async ofMember(memberId: string): Promise<(Block & { guildId: string })[]> {
      const ids = await blocks.ids({ holding: `:${memberId}` });
      const found = ids.filter((id) => id.endsWith(`:${memberId}`)).map(guildIdOf);
      const standing = await Promise.all(
        found.map(async (guildId) => ({ guildId, block: await find(guildId, memberId) })),
      );
      return standing.flatMap(({ guildId, block }) => (block ? { ...block, guildId } : []));
    },

    async guildIds(): Promise<string[]> {
      return [...new Set((await blocks.ids()).map(guildIdOf))];
    },

    /** Says whether they were blocked. */
    async unblock(guildId: string, memberId: string): Promise<boolean> {
      const blocked = (await find(guildId, memberId)) !== undefined;
      await blocks.delete(idOf(guildId, memberId));
      return blocked;
    },

    purgeGuild: (guildId: string): Promise<void> => blocks.deleteAll(`${guildId}:`),
  };
}
