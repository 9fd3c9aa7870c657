import {
  ChannelType,
  Events,
  GatewayIntentBits as Intent,
  PermissionFlagsBits as P,
  Routes,
  WebhookClient,
} from 'discord.js';
import { MessageResponseSchema } from 'discord-api-spec/zod';
import { expect, test } from 'vitest';
import { buttonRow } from '../../../test/support/buttons.ts';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  refusalOf,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const RIGHTS = P.ViewChannel | P.SendMessages | P.ReadMessageHistory | P.ManageWebhooks;

/** A bot that may manage webhooks, and its channel. */
async function start() {
  world = await openLocalDiscord();
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, RIGHTS);
  const intents = [Intent.Guilds, Intent.GuildWebhooks, Intent.GuildMessages, Intent.MessageContent];
  const client = await world.login({ intents, waitGuildTimeout: 1000 });
  const channel = await client.channels.fetch(CHANNEL);
  if (channel?.type !== ChannelType.GuildText) throw new Error('no text channel');
  const rest = { api: world.discord.apiUrl, cdn: world.discord.url, retries: 0 };
  /** Knows nothing but the address. */
  const stranger = ({ id, token }: { id: string; token: string | null }) =>
    new WebhookClient({ id, token: token ?? '' }, { rest });
  return { client, channel, stranger };
}

test('a webhook is made, listed, renamed, moved and deleted, and the bot hears of each', async () => {
  const { client, channel } = await start();
  const heard: string[] = [];
  client.on(Events.WebhooksUpdate, ({ id }) => heard.push(id));
  const webhook = await channel.createWebhook({ name: 'News' });
  expect(webhook).toMatchObject({ name: 'News', channelId: CHANNEL, guildId: GUILD, applicationId: BOT });
  expect(webhook.token).toMatch(/^[\w-]{68}$/);
  expect([...(await channel.fetchWebhooks()).keys()]).toEqual([webhook.id]);
  expect(await world.rest.get(Routes.guildWebhooks(GUILD))).toMatchObject([{ id: webhook.id }]);
  await webhook.edit({ name: 'Olds', channel: SECOND_CHANNEL });
  expect(await client.fetchWebhook(webhook.id)).toMatchObject({ name: 'Olds', channelId: SECOND_CHANNEL });
  await webhook.delete();
  expect(await refusalOf(world.rest.get(Routes.webhook(webhook.id)))).toMatchObject({ code: 10015 });
  await expect.poll(() => heard).toEqual([CHANNEL, CHANNEL, SECOND_CHANNEL, SECOND_CHANNEL]);
});

test('who has its token writes, edits and deletes under any name, without a bot', async () => {
  const { channel, stranger } = await start();
  const webhook = stranger(await channel.createWebhook({ name: 'News' }));
  const sent = await webhook.send({
    content: 'hello',
    username: 'Town crier',
    files: [{ name: 'a.txt', attachment: Buffer.from('abc') }],
  });
  const member = world.discord.as(MEMBER);
  const seen = () => member.message(sent.id);
  expect(seen()).toMatchObject({
    content: 'hello',
    webhook_id: webhook.id,
    author: { id: webhook.id, username: 'Town crier', bot: true },
    attachments: [{ filename: 'a.txt' }],
  });
  expect(MessageResponseSchema.safeParse(seen()).error?.issues).toBeUndefined();
  await webhook.editMessage(sent.id, { content: 'changed' });
  expect(seen()).toMatchObject({ content: 'changed', attachments: [{ filename: 'a.txt' }] });
  expect(await webhook.fetchMessage(sent.id)).toMatchObject({ content: 'changed' });
  await webhook.deleteMessage(sent.id);
  expect(seen()).toBeUndefined();
  const other = await member.say(CHANNEL, 'mine');
  expect(await refusalOf(webhook.deleteMessage(other.id))).toMatchObject({ code: 10008 });
});

test('a webhook notifies users alone, unless it is told whom else', async () => {
  const { channel, stranger } = await start();
  const webhook = stranger(await channel.createWebhook({ name: 'News' }));
  const content = `<@${MEMBER}> @everyone`;
  const { id } = await webhook.send({ content });
  const seen = () => world.discord.as(MEMBER).message(id);
  expect(seen()).toMatchObject({ mentions: [{ id: MEMBER }], mention_everyone: false });
  await webhook.editMessage(id, { content, allowedMentions: { parse: ['everyone'] } });
  expect(seen()).toMatchObject({ mentions: [], mention_everyone: true });
});

test('without wait there is no answer, and the message is there all the same', async () => {
  const { channel } = await start();
  const { id, token } = await channel.createWebhook({ name: 'News' });
  const url = `${world.discord.apiUrl}/v10/webhooks/${id}/${token}`;
  const post = (query: string, body: object) =>
    fetch(url + query, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'a test' },
      body: JSON.stringify(body),
    });
  const silent = await post('', { content: 'one' });
  expect([silent.status, silent.headers.get('content-type'), await silent.text()]).toEqual([204, null, '']);
  const told = await post('?wait=true', { content: 'two' });
  expect(await told.json()).toMatchObject({ content: 'two', author: { username: 'News' } });
  expect(
    world.discord
      .as(MEMBER)
      .messages(CHANNEL)
      .map(({ content }) => content),
  ).toEqual(['one', 'two']);
});

test('a button of a webhook goes to the bot that made it', async () => {
  const { client, channel } = await start();
  client.on(
    Events.InteractionCreate,
    (i) => void (i.isButton() && i.update({ content: 'pressed', components: [] })),
  );
  const webhook = await channel.createWebhook({ name: 'News' });
  const { id } = await webhook.send({ content: 'press', components: [buttonRow('a')] });
  expect(await world.discord.as(MEMBER).press(id, 'a')).toMatchObject({ message: { content: 'pressed' } });
});

test('a webhook writes into the threads of its channel, and into no other channel', async () => {
  const { channel, stranger } = await start();
  world.discord.world.setRolePermissions(
    GUILD,
    BOT_ROLE,
    RIGHTS | P.CreatePublicThreads | P.SendMessagesInThreads,
  );
  const webhook = stranger(await channel.createWebhook({ name: 'News' }));
  const thread = await channel.threads.create({ name: 'aside' });
  const sent = await webhook.send({ content: 'in the thread', threadId: thread.id });
  expect(sent.channel_id).toBe(thread.id);
  expect(await webhook.editMessage(sent.id, { content: 'x', threadId: thread.id })).toMatchObject({
    content: 'x',
  });
  expect(await refusalOf(webhook.send({ content: 'x', threadId: SECOND_CHANNEL }))).toMatchObject({
    code: 10003,
  });
});

test('a wrong token, a missing right, a name of Discord and a sixteenth webhook are refused', async () => {
  const { channel, stranger } = await start();
  const { id } = await channel.createWebhook({ name: 'News' });
  expect(await refusalOf(stranger({ id, token: 'x'.repeat(68) }).send('x'))).toMatchObject({
    status: 401,
    code: 50027,
  });
  expect(await refusalOf(stranger({ id: '999999999999999999', token: 'x' }).send('x'))).toMatchObject({
    status: 404,
    code: 10015,
  });
  const make = (channelId: string, name: string) =>
    refusalOf(world.rest.post(Routes.channelWebhooks(channelId), { body: { name } }));
  expect(await make(CHANNEL, 'Discord News')).toMatchObject({ code: 50035, errors: { name: {} } });
  expect(await make(CHANNEL, '')).toMatchObject({ code: 50035, errors: { name: {} } });
  expect(await make(STAFF_CHANNEL, 'News')).toMatchObject({ code: 50001 });
  for (let count = 1; count < 15; count++) await channel.createWebhook({ name: `News ${count}` });
  expect(await make(CHANNEL, 'One more')).toMatchObject({ code: 30007 });
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, RIGHTS & ~P.ManageWebhooks);
  expect(await make(SECOND_CHANNEL, 'News')).toMatchObject({ code: 50013 });
  expect(await refusalOf(world.rest.delete(Routes.webhook(id)))).toMatchObject({ code: 50013 });
});

test('a webhook goes with its server', async () => {
  const { channel, stranger } = await start();
  const webhook = await channel.createWebhook({ name: 'News' });
  world.discord.world.deleteGuild(GUILD);
  expect(await refusalOf(stranger(webhook).send('late'))).toMatchObject({ code: 10015 });
});

test('a webhook goes with its channel', async () => {
  const { channel, stranger } = await start();
  const made = await channel.createWebhook({ name: 'News' });
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, RIGHTS | P.ManageChannels);
  await channel.delete();
  expect(await refusalOf(stranger(made).send('x'))).toMatchObject({ code: 10015 });
});
