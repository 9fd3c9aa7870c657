import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../commands/index.ts';
import { BOT, CHANNEL, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { settled } from '../support/ephemeral-reply.ts';

/** What `/jobs` says to who has made nothing, as it stands in Discord. */
async function saidBy({ member }: BotWorld, channelId = CHANNEL): Promise<string | undefined> {
  const { id } = await settled(await member.invoke(channelId, 'jobs'), member);
  return member.message(id)?.content;
}

/** Registers the commands in one server as well; resolves with the ids of them all, by their names. */
async function registerInServer({
  login,
}: BotWorld): Promise<Record<'everywhere' | 'here', Map<string, string>>> {
  const { rest } = await login();
  const body = payloadsOf(commands);
  const idsOf = (answer: unknown) =>
    new Map(listed.parse(answer).map(({ name, id }): [string, string] => [name, id]));
  return {
    everywhere: idsOf(await rest.get(Routes.applicationCommands(BOT))),
    here: idsOf(await rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body })),
  };
}

const listed = z.array(z.object({ name: z.string(), id: z.string() }));

test('commands that a message names can be clicked, by the ids under which they are registered', async () => {
  const world = await botWorld();
  const id = world.member.commands(CHANNEL).find(({ name }) => name === 'imagine')?.id;
  expect(await saidBy(world)).toContain(`</imagine:${id}>`);
});

test('commands that are registered anew, in one server only, can be clicked from the second answer on', async () => {
  const world = await botWorld();
  await world.register();
  const { here } = await registerInServer(world);
  await saidBy(world);
  await expect.poll(() => saidBy(world)).toContain(`</imagine:${here.get('imagine')}>`);
});

test('where a server has its own these can be clicked there, and nowhere else', async () => {
  const world = await botWorld();
  const { everywhere, here } = await registerInServer(world);
  await saidBy(world);
  await expect.poll(() => saidBy(world)).toContain(`</imagine:${here.get('imagine')}>`);
  const { id: channelId } = world.member.openDirectMessage();
  for (let time = 0; time < 2; time += 1) {
    expect(await saidBy(world, channelId)).toContain(`</imagine:${everywhere.get('imagine')}>`);
    expect(await saidBy(world)).toContain(`</imagine:${here.get('imagine')}>`);
  }
});

test('once a server has none of its own any more, those that are everywhere can be clicked there', async () => {
  const world = await botWorld();
  const { everywhere, here } = await registerInServer(world);
  await saidBy(world);
  await expect.poll(() => saidBy(world)).toContain(`</imagine:${here.get('imagine')}>`);
  const { rest } = await world.login();
  await rest.put(Routes.applicationGuildCommands(BOT, GUILD), { body: [] });
  await saidBy(world);
  await expect.poll(() => saidBy(world)).toContain(`</imagine:${everywhere.get('imagine')}>`);
});
