import { NOWHERE } from '@darkroom/testing';
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { hang, refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import {
  BOT,
  CHANNEL,
  MODERATOR,
  SECOND_CHANNEL,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { plain } from '../support/commands.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { hostileWorld } from '../support/hostile-world.ts';
import { FOX } from '../support/picture-world.ts';

const { check } = en.settings;

test('where everything is well, every line says so', async () => {
  const { as, service } = await botWorld();
  const moderator = as(MODERATOR);
  const lines = async () => plain((await run(moderator, 'settings check')).content).split('\n');
  const well = (...names: string[]) => names.map((name) => `✔ ${name}`);
  const { permissions, commands: mine, service: images, key, pictures, store } = check;
  expect(await lines()).toEqual(well(permissions, mine, images, pictures, store));
  const form = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, form, service.key), moderator);
  expect(await lines()).toEqual(well(permissions, mine, images, key, pictures, store));
});

test('what is broken says what mends it', async () => {
  const storeUrl = await storeWithSettings({ paused: true });
  const world = await botWorld({ storeUrl, imageUrl: NOWHERE });
  const content = plain((await run(world.as(MODERATOR), 'settings check')).content);
  expect(content).toContain(`✖ ${check.service}: ${check.serviceDown}`);
  expect(content).toContain(`✖ ${check.pictures}: ${en.rules.paused}`);
});

test('a service that does not answer is not taken for one that refuses the key', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const form = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, form, A_KEY), moderator);
  service.script('balance', hang());
  const content = plain((await run(moderator, 'settings check')).content);
  expect(content).toContain(`✖ ${check.key}: ${check.serviceDown}`);
});

test('a key that the service accepts again pays once it was tested', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const form = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, form, A_KEY), moderator);
  service.script('balance', refusal(401, 'No such key'));
  const keyLine = async () => plain((await run(moderator, 'settings check')).content);
  expect(await keyLine()).toContain(`✖ ${check.key}: ${check.keyRefused}`);
  const { reasons } = en.failure;
  expect((await run(world.member, 'imagine', FOX)).content).toContain(reasons.unauthorized.guild);
  service.script('balance', service.politely);
  expect(await keyLine()).toContain(`✔ ${check.key}`);
  expect((await world.imagined(FOX)).attachments).toHaveLength(1);
});

test('channels that the server has chosen are tested for whether the bot may post there', async () => {
  const channels = { logChannelId: SECOND_CHANNEL, reportChannelId: CHANNEL };
  const world = await botWorld({ storeUrl: await storeWithSettings(channels) });
  const { names } = en.settings;
  const lines = async () => plain((await run(world.as(MODERATOR), 'settings check')).content).split('\n');
  expect(await lines()).toEqual(
    expect.arrayContaining([`✔ ${names.logChannelId}`, `✔ ${names.reportChannelId}`]),
  );
  world.discord.world.deny(SECOND_CHANNEL, BOT, PermissionFlagsBits.SendMessages);
  expect(await lines()).toEqual(
    expect.arrayContaining([
      `✖ ${names.logChannelId}: ${check.mayNotPost(`<#${SECOND_CHANNEL}>`)}`,
      `✔ ${names.reportChannelId}`,
    ]),
  );
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.ViewChannel);
  expect(await lines()).toContain(`✖ ${names.reportChannelId}: ${check.mayNotPost(`<#${CHANNEL}>`)}`);
});

test('who may not manage the server is told which right is missing', async () => {
  const { member } = await botWorld();
  expect((await run(member, 'settings check')).content).toBe(en.refusal.needsManageServer);
});

test('commands that are registered in another version are named', async () => {
  const world = await botWorld();
  const [first] = commands.map(({ data }) => data);
  const [, ...others] = payloadsOf(commands);
  if (!first) throw new Error('no commands');
  await world.register({ ...first, description: 'of long ago' }, ...others);
  const content = plain((await run(world.as(MODERATOR), 'settings check')).content);
  expect(content).toContain(`✖ ${check.commands}: ${check.outdated(`\`/${first.name}\``)}`);
});

test('where Discord does not say which commands are registered, the rest is tested', async () => {
  const world = await botWorld();
  const isListing = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path.endsWith('/commands');
  world.discord.faults.add({ every: isListing, effect: { status: 500, body: {} } });
  const content = plain((await run(world.as(MODERATOR), 'settings check')).content);
  expect(content).toContain(`✖ ${check.commands}: ${check.commandsUnknown}`);
  expect(content).toContain(`✔ ${check.service}`);
});
