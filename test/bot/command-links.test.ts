import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { BOT, CHANNEL, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { botWorld } from '../support/bot.ts';
import { plain } from '../support/commands.ts';
import { run } from '../support/ephemeral-reply.ts';

test('commands that a message names can be clicked, by the ids under which they are registered', async () => {
  const world = await botWorld();
  const id = world.member.commands(CHANNEL).find(({ name }) => name === 'imagine')?.id;
  const { content } = await run(world.member, 'jobs');
  expect(content).toContain(`</imagine:${id}>`);
  expect(plain(content)).toContain('`/imagine`');
});

test('commands that are registered anew, in one server only, can be clicked from the second answer on', async () => {
  const world = await botWorld();
  await world.register();
  const client = await world.login();
  const body = payloadsOf(commands);
  await client.rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body });
  const id = world.member.commands(CHANNEL).find(({ name }) => name === 'imagine')?.id;
  await run(world.member, 'jobs');
  await expect.poll(async () => (await run(world.member, 'jobs')).content).toContain(`</imagine:${id}>`);
});
