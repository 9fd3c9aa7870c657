import { OperatorError, ownCommand } from '@darkroom/process';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';

/** `auto`: as many as Discord recommends when the first process starts. */
export type ShardSetting = 'auto' | number;

/** More than the largest bot there is has. */
export const MOST_SHARDS = 9_999;

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

  return {
    /**
     * Resolves with the number of shards. `alone`: no other process lives, so it is this one that decides. Rejects with
     * a sentence for the operator where the store is another bot's, or others run with another number.
     */
    async agree({
      applicationId,
      setting,
      recommended,
      alone,
    }: {
      applicationId: string;
      setting: ShardSetting;
      recommended: number;
      alone: boolean;
    }): Promise<number> {
      const before = await rows.get(ID);
      if (before && before.applicationId !== applicationId) {
        throw new OperatorError(
          `The store of STORE_URL belongs to the application ${before.applicationId}, and DISCORD_TOKEN to ${applicationId}. ` +
            'Give this bot a store of its own with STORE_URL, or use the token of that application.',
        );
      }
      if (!before || alone) {
        const shards = setting === 'auto' ? recommended : setting;
        await rows.set(ID, { applicationId, shards });
        return shards;
      }
      if (setting !== 'auto' && setting !== before.shards) {
        throw new OperatorError(
          `Other processes run this bot with ${before.shards} shards, and SHARDS is ${setting}. Leave SHARDS at auto, or ` +
            `change the number for all that run: ${ownCommand('store', `shards ${setting}`)}`,
        );
      }
      return before.shards;
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
