import { expect, test } from 'vitest';
import { MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { run } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';

const { check } = en.settings;

test('where everything is well, every line says so', async () => {
  const { as } = await botWorld();
  const lines = (await run(as(MODERATOR), 'settings check')).content.split('\n');
  const names = [check.permissions, check.service, check.key, check.pictures, check.store];
  expect(lines).toEqual(names.map((name) => `✔ ${name}`));
});

test('what is broken says what mends it', async () => {
  const storeUrl = await storeWithSettings({ paused: true });
  const world = await botWorld({ storeUrl, imageUrl: 'http://127.0.0.1:9' });
  const { content } = await run(world.as(MODERATOR), 'settings check');
  expect(content).toContain(`✖ ${check.service}: ${check.serviceAway}`);
  expect(content).toContain(`✖ ${check.pictures}: ${en.rules.paused}`);
});

test('who may not manage the server is told which right is missing', async () => {
  const { member } = await botWorld();
  expect((await run(member, 'settings check')).content).toBe(en.refusal.needsManageServer);
});
