import { type Log, ownCommand } from '@darkroom/process';
import type { REST } from 'discord.js';
import { askIdentity } from '../bot/log-in.ts';
import type { Shard } from '../jobs/shard.ts';
import type { Installation, ShardSetting } from '../shards/installation.ts';

/**
 * What comes of a shard that Discord refuses for its servers. With `SHARDS` at `auto` the bot takes more as soon as
 * Discord recommends them: by the store where processes share it, otherwise by its next start.
 */
export function growWhereOverfull({
  rest,
  installation,
  applicationId,
  setting,
  isShared,
  isAlone,
  endForMore,
  signal,
  log,
}: {
  rest: REST;
  installation: Pick<Installation, 'agree'>;
  applicationId: string;
  setting: ShardSetting;
  /** Whether other processes may serve shards of this bot. */
  isShared: boolean;
  /** Whether none does. */
  isAlone(): boolean;
  /** Ends this process, whose next start takes more. `why`: for the operator. */
  endForMore(why: string): void;
  signal: AbortSignal;
  log: Log;
}): (shard: Shard) => void {
  async function grow(count: number): Promise<void> {
    const { shards: recommended, identifyLimit } = await askIdentity(rest, { log, signal });
    if (recommended <= count) return;
    if (!isShared) {
      endForMore(`${tooFew(count)}. Start it again: it takes ${recommended}, as Discord recommends.`);
      return;
    }
    const { remaining: identifies } = identifyLimit;
    await installation.agree({ applicationId, setting, recommended, alone: isAlone(), identifies, log });
  }

  return ({ id: shard, count }) => {
    log.error(
      { shard },
      `Discord does not serve a shard: ${tooFew(count)}. ${advice(setting, count, isShared)}`,
    );
    if (setting !== 'auto') return;
    grow(count).catch((error: unknown) => log.warn({ err: error }, 'the shards stay as they are for now'));
  };
}

const tooFew = (count: number) => `the bot is in too many servers for so few shards (${count})`;

function advice(setting: ShardSetting, count: number, isShared: boolean): string {
  const more = 2 * count;
  if (isShared) return `All processes change over by: ${ownCommand('store', `shards ${more}`)}`;
  if (setting !== 'auto') return `Set SHARDS to ${more}, or to auto, and start again.`;
  return 'It takes more once Discord recommends them.';
}
