import { join } from 'node:path';
import { temporaryFolder } from '@darkroom/testing';
import { expect, test } from 'vitest';
import type { ShardSetting } from '../../src/shards/installation.ts';
import { createShardWorld } from '../support/shard-world.ts';

/** A bot in one process, the first of whose shards gets into too many servers. */
async function overfullWorld({ shards, recommended }: { shards: ShardSetting; recommended: number }) {
  const url = `sqlite://${join(await temporaryFolder(), 'bot.sqlite')}` as const;
  const world = await createShardWorld(url, {}, { recommendedShards: 2 });
  const bot = await world.startProcess({ shards });
  const count = bot.served();
  world.discord.gateway.recommendShards(recommended);
  world.discord.gateway.overfill(0, count);
  return { ...world, bot, count };
}

test('with SHARDS at auto a shard with too many servers ends the process, whose next start takes more', async () => {
  const { startProcess, bot, logged } = await overfullWorld({ shards: 'auto', recommended: 5 });
  await expect.poll(bot.isLost).toBe(true);
  const [told] = logged('Discord ended the connection for good');
  expect(told?.msg).toContain('so few shards (2). Start it again: it takes 5, as Discord recommends.');
  await bot.stop();
  expect((await startProcess()).served()).toBe(5);
});

test.each([
  ['auto', 2, 'It takes more once Discord recommends them.'],
  [2, 5, 'Set SHARDS to 4, or to auto, and start again.'],
  [1, 5, 'Set SHARDS to 2, or to auto, and start again.'],
] as const)(
  'with SHARDS at %s, where a start would take no more, it is held instead',
  async (shards, recommended, advice) => {
    const { serve, bot, count, logged } = await overfullWorld({ shards, recommended });
    await serve([bot, count - 1]);
    await expect.poll(() => logged('Discord does not serve a shard')[0]?.msg).toContain(advice);
    expect(bot.isLost()).toBe(false);
  },
);
