import { Events, GatewayIntentBits as Intent, type Message, MessageReferenceType, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  refusalOf,
  STAFF_ROLE,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const send = (body: object, channelId = CHANNEL) =>
  world.rest.post(Routes.channelMessages(channelId), { body });

test('a reply mentions the author, unless allowed_mentions leaves them out', async () => {
  world = await openLocalDiscord();
  const { id } = await world.discord.as(MEMBER).say(CHANNEL, 'question');
  const reply = { content: 'answer', message_reference: { message_id: id } };
  expect(await send(reply)).toMatchObject({ mentions: [{ id: MEMBER }] });
  expect(await send({ ...reply, allowed_mentions: { parse: [] } })).toMatchObject({ mentions: [] });
  const allowed = { ...reply, allowed_mentions: { parse: [], replied_user: true } };
  const sent = (await send(allowed)) as { id: string };
  expect(sent).toMatchObject({ mentions: [{ id: MEMBER }] });
  const route = Routes.channelMessage(CHANNEL, sent.id);
  expect(await world.rest.patch(route, { body: { content: 'edited' } })).toMatchObject({
    mentions: [{ id: MEMBER }],
  });
});

test('bots hear of whom a message mentions with what they are in the server', async () => {
  world = await openLocalDiscord();
  const client = await world.login({
    intents: [Intent.Guilds, Intent.GuildMessages],
    waitGuildTimeout: 1000,
  });
  const heard = new Promise<Message>((resolve) => client.once(Events.MessageCreate, resolve));
  await world.discord.as(MEMBER).say(CHANNEL, `<@${MODERATOR}>`);
  const { mentions } = await heard;
  expect(mentions.members?.get(MODERATOR)?.roles.cache.has(STAFF_ROLE)).toBe(true);
});

test('a person replies and edits, and bots hear of it', async () => {
  world = await openLocalDiscord();
  const client = await world.login({
    intents: [Intent.Guilds, Intent.GuildMessages, Intent.MessageContent],
    waitGuildTimeout: 1000,
  });
  const seen: unknown[] = [];
  client.on(Events.MessageCreate, ({ content, reference }) => seen.push([content, reference?.messageId]));
  client.on(Events.MessageUpdate, (_, { content }) => seen.push(content));
  const member = world.discord.as(MEMBER);
  const moderator = world.discord.as(MODERATOR);
  const { id } = await member.say(CHANNEL, 'question');
  const answer = await moderator.reply(id, 'answer');
  expect(answer).toMatchObject({ mentions: [{ id: MEMBER }], referenced_message: { content: 'question' } });
  expect((await moderator.reply(id, 'quietly', { mention: false })).mentions).toEqual([]);
  const edited = await moderator.edit(answer.id, 'better answer');
  expect(edited).toMatchObject({ content: 'better answer', edited_timestamp: expect.any(String) });
  await expect
    .poll(() => seen)
    .toEqual([['question', undefined], ['answer', id], ['quietly', id], 'better answer']);
  await expect(member.edit(answer.id, 'x')).rejects.toMatchObject({ reason: 'forbidden' });
  world.discord.world.blockWords(GUILD, ['forbidden']);
  await expect(moderator.edit(answer.id, 'forbidden')).rejects.toMatchObject({ reason: 'blocked' });
});

test('a forwarded message is empty, and holds the other as it was, without who wrote it', async () => {
  world = await openLocalDiscord();
  const client = await world.login({
    intents: [Intent.Guilds, Intent.GuildMessages, Intent.MessageContent],
    waitGuildTimeout: 1000,
  });
  const seen: unknown[] = [];
  client.on(Events.MessageCreate, ({ content, reference, messageSnapshots }) =>
    seen.push([content, reference?.type, messageSnapshots.first()?.content]),
  );
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'question');
  const forwarded = world.discord.as(MODERATOR).forward(id, CHANNEL);
  await member.edit(id, 'another question');
  await expect
    .poll(() => seen)
    .toEqual([
      ['question', undefined, undefined],
      ['', MessageReferenceType.Forward, 'question'],
    ]);
  const [snapshot] = member.message(forwarded.id)?.message_snapshots ?? [];
  expect(snapshot?.message).toMatchObject({ content: 'question', attachments: [] });
  expect(snapshot?.message).not.toHaveProperty('author');
});

test("a bot does not delete a person's message in a direct conversation (50003)", async () => {
  world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const { id: channelId } = member.openDirectMessage();
  const { id } = await member.say(channelId, 'mine');
  expect(await refusalOf(world.rest.delete(Routes.channelMessage(channelId, id)))).toMatchObject({
    status: 403,
    code: 50003,
  });
  const own = (await send({ content: 'own' }, channelId)) as { id: string };
  await world.rest.delete(Routes.channelMessage(channelId, own.id));
});

test('an embed that shows nothing is 50035', async () => {
  world = await openLocalDiscord();
  expect(await refusalOf(send({ embeds: [{}] }))).toMatchObject({
    code: 50035,
    errors: { embeds: { 0: { description: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } } } },
  });
  expect(await refusalOf(send({ content: 'x', embeds: [{ color: 255 }] }))).toMatchObject({ code: 50035 });
});
