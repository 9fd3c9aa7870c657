import { type Log, OperatorError, ownCommand } from '@darkroom/process';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';

/** `auto`: as many as Discord recommends when the first process starts. */
export type ShardSetting = 'auto' | number;

/** More than the largest bot there is has. */
export const MOST_SHARDS = 9_999;

/** From so many times the shards there are, what Discord recommends is adopted although other processes run. */
const OUTGROWN = 2;

/** What all processes on one store agree on. */
const installation = z.object({ applicationId: z.string(), shards: z.int().min(1) });

export type Installation = ReturnType<typeof createInstallation>;

/** The row that says which bot a store belongs to, and how many shards it has. */
export function createInstallation(store: Store) {
  const rows = store.collection('installation', installation);
  const ID = 'bot';

  async function known() {
    const row = await rows.get(ID);
    if (row) return row;
    throw new OperatorError('No bot has been started on this store yet; its first start decides by SHARDS.');
  }

  /** Rejects with a sentence for the operator where the store is another bot's. */
  async function ownRow(applicationId: string) {
    const row = await rows.get(ID);
    if (row === undefined || row.applicationId === applicationId) return row;
    throw new OperatorError(
      `The store of STORE_URL belongs to the application ${row.applicationId}, and DISCORD_TOKEN to ${applicationId}. ` +
        'Give this bot a store of its own with STORE_URL, or use the token of that application.',
    );
  }

  return {
    /** Rejects as `agree` does where the store is another bot's. */
    refuseOther: async (applicationId: string): Promise<void> => void (await ownRow(applicationId)),

    /**
     * Resolves with the number of shards. `alone`: no other process lives, so it is this one that decides. A bot that
     * is only restarted process by process, so that none is ever alone, grows all the same: where Discord recommends
     * twice as many all change over, and for fewer the log says how; neither while the bot may hardly identify. Rejects
     * with a sentence for the operator where the store is another bot's, or others run with another number.
     */
    async agree({
      applicationId,
      setting,
      recommended,
      alone,
      identifies,
      log,
    }: {
      applicationId: string;
      setting: ShardSetting;
      recommended: number;
      alone: boolean;
      /** How often the bot may still identify today. */
      identifies: number;
      log: Log;
    }): Promise<number> {
      const before = await ownRow(applicationId);
      if (!before || alone) {
        const shards = setting === 'auto' ? recommended : setting;
        if (recommended > shards) {
          log.warn(`SHARDS is ${shards}, and Discord recommends ${recommended}: set it to that, or to auto`);
        }
        await rows.set(ID, { applicationId, shards });
        return shards;
      }
      if (setting !== 'auto' && setting !== before.shards) {
        throw new OperatorError(
          `Other processes run this bot with ${before.shards} shards, and SHARDS is ${setting}. Leave SHARDS at auto, or ` +
            `change the number for all that run: ${ownCommand('store', `shards ${setting}`)}`,
        );
      }
      const { shards } = before;
      if (recommended <= shards) return shards;
      const outgrown = `the bot has ${shards} shards, and Discord recommends ${recommended}`;
      if (identifies < 2 * recommended) {
        log.warn(
          `${outgrown}. Start a process again once Discord lets the bot identify more often (only ${identifies} times more today): it changes all over then, or says how`,
        );
        return shards;
      }
      if (setting === 'auto' && recommended >= OUTGROWN * shards) {
        await rows.set(ID, { applicationId, shards: recommended });
        log.warn(`the bot goes from ${shards} to ${recommended} shards, as Discord recommends`);
        return recommended;
      }
      const command = ownCommand('store', `shards ${recommended}`);
      log.warn(`${outgrown}. All change over by: ${command}`);
      return shards;
    },

    shards: async (): Promise<number> => (await known()).shards,

    /**
     * Changes their number for all processes that run. Rejects with a sentence where no bot has been started on this
     * store.
     */
    async change(shards: number): Promise<void> {
      await rows.set(ID, { ...(await known()), shards });
    },
  };
}
