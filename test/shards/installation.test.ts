import { expect, test } from 'vitest';
import { createInstallation } from '../../src/shards/installation.ts';
import { createStoreWorld } from '../support/store.ts';

test('where Discord lets a bot identify few times more, nobody is told to change its shards over', async () => {
  const { store, log, logged } = await createStoreWorld();
  const installation = createInstallation(store);
  const bot = { applicationId: '1', setting: 'auto', log } as const;
  await installation.agree({ ...bot, recommended: 8, alone: true, identifies: 1_000 });
  const startBeside = (identifies: number) =>
    installation.agree({ ...bot, recommended: 16, alone: false, identifies });

  expect(await startBeside(31)).toBe(8);
  const [told] = logged.map(({ msg }) => msg);
  expect(told).toContain('the bot has 8 shards, and Discord recommends 16.');
  expect(told).toContain('only 31 times more today');
  expect(told).not.toContain('store shards');
  expect(await startBeside(32)).toBe(16);
});
