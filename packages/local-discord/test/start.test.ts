import { Client, Events, GatewayIntentBits as Intent } from 'discord.js';
import { expect, test } from 'vitest';
import { startDiscord } from '../src/start.ts';

test('a few words are enough: names for what there is, and everything else by default', async () => {
  await using discord = await startDiscord({ guild: { roles: ['staff'], channels: ['general'] } });
  const channel = discord.id('channel', 'general');
  expect(discord.as('member').guilds()).toMatchObject([
    { id: discord.id('guild', 'Server'), channels: [{ id: channel, name: 'general' }] },
  ]);
  expect(discord.as(discord.id('user', 'friend')).user.username).toBe('friend');
  expect(discord.id('role', 'staff')).toMatch(/^\d{18}$/);
  expect(() => discord.id('role', 'nobody')).toThrow("has no role 'nobody'");
  const client = new Client({
    intents: [Intent.Guilds, Intent.GuildMessages, Intent.MessageContent],
    rest: { api: discord.apiUrl, cdn: discord.url },
  });
  client.on(Events.MessageCreate, async (message) => {
    if (message.content === '!ping') await message.reply('pong');
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(discord.token());
  await ready;
  await discord.as('member').say(channel, '!ping');
  const answer = await discord.as('member').waitForMessage(({ content }) => content === 'pong');
  expect(answer.author.username).toBe('testbot');
  await client.destroy();
});

test('people have the roles that they are given by name', async () => {
  await using discord = await startDiscord({
    bot: 'Ticketbot',
    guild: { name: 'Help', roles: [{ name: 'staff', permissions: 8n }], members: { eve: ['staff'] } },
  });
  const [guild] = discord.as('eve').guilds();
  const member = guild?.members.find(({ user }) => user.username === 'eve');
  expect(member?.roles).toEqual([discord.id('role', 'staff')]);
  await expect(startDiscord({ guild: { members: { eve: ['unknown'] } } })).rejects.toThrow(
    "no role 'unknown'",
  );
});

test('await using closes it', async () => {
  let url: string;
  {
    await using discord = await startDiscord();
    url = discord.url;
    expect((await fetch(`${url}/api/v10/gateway`)).status).toBe(200);
  }
  await expect(fetch(`${url}/api/v10/gateway`)).rejects.toThrow();
});
