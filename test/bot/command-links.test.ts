import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { BOT, CHANNEL, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { run } from '../support/ephemeral-reply.ts';

/** What `/jobs` says to who has made nothing, as it stands in Discord. */
async function saidBy({ member }: BotWorld): Promise<string | undefined> {
  const { id } = await run(member, 'jobs');
  return member.message(id)?.content;
}

test('commands that a message names can be clicked, by the ids under which they are registered', async () => {
  const world = await botWorld();
  const id = world.member.commands(CHANNEL).find(({ name }) => name === 'imagine')?.id;
  expect(await saidBy(world)).toContain(`</imagine:${id}>`);
});

test('commands that are registered anew, in one server only, can be clicked from the second answer on', async () => {
  const world = await botWorld();
  await world.register();
  const client = await world.login();
  const body = payloadsOf(commands);
  await client.rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body });
  const id = world.member.commands(CHANNEL).find(({ name }) => name === 'imagine')?.id;
  await saidBy(world);
  await expect.poll(() => saidBy(world)).toContain(`</imagine:${id}>`);
});
