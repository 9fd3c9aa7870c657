import { createFakeClock } from '@darkroom/time/testing';
import { ChannelType, ComponentType, MessageFlags, PermissionFlagsBits as P, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OTHER_GUILD,
  OUTSIDER,
  PRIVATE_CHANNEL,
  refusalOf,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
  STAFF_ROLE,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const NOWHERE = '999999999999999999';
const send = (body: object, channel = CHANNEL) => world.rest.post(Routes.channelMessages(channel), { body });
/** Sends and gives back the id. */
const sent = async (body: object, channel = CHANNEL) => ((await send(body, channel)) as { id: string }).id;

test('a bot sends, reads, lists, edits and deletes its message', async () => {
  world = await openLocalDiscord();
  const id = await sent({ content: 'one' });
  await sent({ content: 'two' });
  expect(await world.rest.get(Routes.channelMessage(CHANNEL, id))).toMatchObject({
    content: 'one',
    edited_timestamp: null,
  });
  const list = (query = '') =>
    world.rest.get(Routes.channelMessages(CHANNEL), { query: new URLSearchParams(query) }) as Promise<
      { content: string }[]
    >;
  expect((await list()).map(({ content }) => content)).toEqual(['two', 'one']);
  expect((await list('limit=1')).map(({ content }) => content)).toEqual(['two']);
  expect((await list(`after=${id}`)).map(({ content }) => content)).toEqual(['two']);
  expect(await list(`before=${id}`)).toEqual([]);
  expect(await refusalOf(list('limit=101'))).toMatchObject({ code: 50035 });
  expect(
    await world.rest.patch(Routes.channelMessage(CHANNEL, id), { body: { content: 'edited' } }),
  ).toMatchObject({
    content: 'edited',
    edited_timestamp: expect.any(String),
  });
  await world.rest.delete(Routes.channelMessage(CHANNEL, id));
  expect(await refusalOf(world.rest.get(Routes.channelMessage(CHANNEL, id)))).toMatchObject({
    status: 404,
    code: 10008,
  });
});

test('a message that is to be spoken stays one that is', async () => {
  world = await openLocalDiscord();
  const id = await sent({ content: 'one', tts: true });
  await world.rest.patch(Routes.channelMessage(CHANNEL, id), { body: { content: 'edited' } });
  expect(await world.rest.get(Routes.channelMessage(CHANNEL, id))).toMatchObject({ tts: true });
});

test('places that are not there, or not for the bot, have their own codes', async () => {
  world = await openLocalDiscord();
  const { get } = world.rest;
  const read = get.bind(world.rest);
  const cases = [
    [send({ content: 'x' }, NOWHERE), 404, 10003],
    [read(Routes.channel(NOWHERE)), 404, 10003],
    [read(Routes.channel(OTHER_CHANNEL)), 403, 50001],
    [send({ content: 'x' }, STAFF_CHANNEL), 403, 50001],
    [send({ content: 'x' }, PRIVATE_CHANNEL), 403, 50001],
    [read(Routes.guild(NOWHERE)), 404, 10004],
    [read(Routes.guild(OTHER_GUILD)), 403, 50001],
    [read(Routes.guildMember(GUILD, NOWHERE)), 404, 10013],
    [read(Routes.guildMember(OTHER_GUILD, MEMBER)), 403, 50001],
    [read(Routes.user(NOWHERE)), 404, 10013],
    [read(Routes.channelMessage(CHANNEL, NOWHERE)), 404, 10008],
    [world.rest.post(Routes.userChannels(), { body: { recipient_id: NOWHERE } }), 404, 10013],
  ] as const;
  for (const [call, status, code] of cases) expect(await refusalOf(call)).toMatchObject({ status, code });
  expect(await read(Routes.guildMember(GUILD, MEMBER))).toMatchObject({ user: { id: MEMBER } });
  expect(await read(Routes.user())).toMatchObject({ id: BOT, bot: true });
  expect(await read(Routes.channel(CHANNEL))).toMatchObject({ id: CHANNEL, guild_id: GUILD });
});

test('every permission that is missing is refused with 50013', async () => {
  world = await openLocalDiscord();
  const { deny } = world.discord.world;
  const files = [{ name: 'a.txt', data: 'x' }];
  deny(CHANNEL, BOT, P.AttachFiles | P.EmbedLinks);
  expect(
    await refusalOf(world.rest.post(Routes.channelMessages(CHANNEL), { body: {}, files })),
  ).toMatchObject({ code: 50013 });
  expect(await refusalOf(send({ embeds: [{ title: 'x' }] }))).toMatchObject({ status: 403, code: 50013 });
  const id = await sent({ content: 'plain' });
  deny(CHANNEL, BOT, P.SendMessages | P.ReadMessageHistory);
  expect(await refusalOf(send({ content: 'x' }))).toMatchObject({ code: 50013 });
  expect(await refusalOf(world.rest.get(Routes.channelMessage(CHANNEL, id)))).toMatchObject({ code: 50013 });
  expect(await world.rest.get(Routes.channelMessages(CHANNEL))).toEqual([]);
  deny(CHANNEL, BOT, P.ReadMessageHistory);
  expect(await refusalOf(send({ content: 'x', message_reference: { message_id: id } }))).toMatchObject({
    code: 160002,
  });
  deny(CHANNEL, BOT, P.ViewChannel);
  expect(await refusalOf(send({ content: 'x' }))).toMatchObject({ code: 50001 });
});

test('the messages of a voice channel are read by nobody who may not connect to it', async () => {
  world = await openLocalDiscord();
  const voice = world.discord.world.addChannel(GUILD, { name: 'talk', type: ChannelType.GuildVoice });
  const id = await sent({ content: 'plain' }, voice);
  const list = () => world.rest.get(Routes.channelMessages(voice));
  expect(await list()).toHaveLength(1);
  world.discord.world.deny(voice, BOT, P.Connect);
  expect(await refusalOf(list())).toMatchObject({ status: 403, code: 50001 });
  expect(await refusalOf(world.rest.get(Routes.channelMessage(voice, id)))).toMatchObject({ code: 50001 });
});

test('a bot edits and deletes what is its own', async () => {
  world = await openLocalDiscord();
  const { id } = await world.discord.as(MEMBER).say(CHANNEL, 'mine');
  const route = Routes.channelMessage(CHANNEL, id);
  expect(await refusalOf(world.rest.patch(route, { body: { content: 'x' } }))).toMatchObject({
    status: 403,
    code: 50005,
  });
  expect(await refusalOf(world.rest.delete(route))).toMatchObject({ status: 403, code: 50013 });
  world.discord.world.setOverwrite(CHANNEL, { id: BOT, kind: 'member', allow: P.ManageMessages });
  await world.rest.delete(route);
  expect(world.discord.as(MEMBER).message(id)).toBeUndefined();
});

test('what is deleted, left or kicked is gone for the bot', async () => {
  world = await openLocalDiscord();
  const id = await sent({ content: 'x' });
  world.discord.world.deleteMessage(id);
  expect(
    await refusalOf(world.rest.patch(Routes.channelMessage(CHANNEL, id), { body: { content: 'y' } })),
  ).toMatchObject({ code: 10008 });
  world.discord.world.deleteChannel(SECOND_CHANNEL);
  expect(await refusalOf(send({ content: 'x' }, SECOND_CHANNEL))).toMatchObject({ code: 10003 });
  world.discord.world.kick(GUILD, BOT);
  expect(await refusalOf(send({ content: 'x' }))).toMatchObject({ status: 403, code: 50001 });
});

test('a nonce that is enforced makes one message of many tries, for some minutes', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock });
  const body = { content: 'once', nonce: '1234567890', enforce_nonce: true };
  const files = [{ name: 'a.txt', data: 'x' }];
  const post = () =>
    world.rest.post(Routes.channelMessages(CHANNEL), { body, files }) as Promise<{
      id: string;
      nonce: string;
    }>;
  const both = await Promise.all([post(), post()]);
  const third = await post();
  expect(new Set([...both, third].map(({ id }) => id)).size).toBe(1);
  expect(third.nonce).toBe('1234567890');
  expect(world.discord.as(MEMBER).messages(CHANNEL)).toHaveLength(1);
  await clock.advance(3 * 60_000);
  await post();
  await sent({ content: 'once', nonce: '1234567890' });
  expect(world.discord.as(MEMBER).messages(CHANNEL)).toHaveLength(3);
});

test('a direct message arrives, unless its reader closed them (50007)', async () => {
  world = await openLocalDiscord();
  const { id } = (await world.rest.post(Routes.userChannels(), { body: { recipient_id: MEMBER } })) as {
    id: string;
  };
  await send({ content: 'hello' }, id);
  const member = world.discord.as(MEMBER);
  expect(member.directMessages().map((channel) => channel.id)).toContain(id);
  expect(member.messages(id).map(({ content }) => content)).toEqual(['hello']);
  world.discord.world.openDirectMessages(MEMBER, false);
  expect(await refusalOf(send({ content: 'x' }, id))).toMatchObject({ status: 403, code: 50007 });
});

test('AutoMod refuses its words in messages, edits and embeds (200000)', async () => {
  world = await openLocalDiscord();
  const id = await sent({ content: 'fine' });
  world.discord.world.blockWords(GUILD, ['forbidden']);
  const edit = world.rest.patch(Routes.channelMessage(CHANNEL, id), {
    body: { content: 'a Forbidden word' },
  });
  expect(await refusalOf(edit)).toMatchObject({ status: 400, code: 200000 });
  expect(await refusalOf(send({ embeds: [{ description: 'forbidden' }] }))).toMatchObject({ code: 200000 });
  await expect(world.discord.as(MEMBER).say(CHANNEL, 'forbidden')).rejects.toMatchObject({
    reason: 'blocked',
  });
});

test('what components say notifies and is held against AutoMod as the content is', async () => {
  world = await openLocalDiscord();
  const text = (content: string) => ({ type: ComponentType.TextDisplay, content });
  const say = (content: string, more: object = {}) =>
    send({
      flags: MessageFlags.IsComponentsV2,
      components: [text('Hello'), { type: ComponentType.Container, components: [text(content)] }],
      ...more,
    });
  const words = `<@${MEMBER}> @everyone`;
  expect(await say(words)).toMatchObject({ mentions: [{ id: MEMBER }], mention_everyone: true });
  const silent = { allowed_mentions: { parse: [] } };
  expect(await say(words, silent)).toMatchObject({ mentions: [], mention_everyone: false });
  world.discord.world.blockWords(GUILD, ['forbidden']);
  expect(await refusalOf(say('a Forbidden word'))).toMatchObject({ status: 400, code: 200000 });
});

test('mentions notify only whom allowed_mentions and permissions let them', async () => {
  world = await openLocalDiscord();
  const content = `<@${MEMBER}> <@${MODERATOR}> @everyone`;
  const mentions = async (allowed?: object) => {
    const message = await send({ content, ...(allowed && { allowed_mentions: allowed }) });
    const { mentions: users, mention_everyone } = message as {
      mentions: { id: string }[];
      mention_everyone: boolean;
    };
    return [users.map(({ id }) => id), mention_everyone];
  };
  expect(await mentions()).toEqual([[MEMBER, MODERATOR], true]);
  world.discord.world.deny(CHANNEL, BOT, P.MentionEveryone);
  expect(await mentions()).toEqual([[MEMBER, MODERATOR], false]);
  expect(await mentions({ parse: [] })).toEqual([[], false]);
  expect(await mentions({ parse: [], users: [MODERATOR] })).toEqual([[MODERATOR], false]);
  world.discord.world.setOverwrite(CHANNEL, { id: BOT, kind: 'member', allow: P.MentionEveryone });
  expect(await mentions({ parse: ['everyone'] })).toEqual([[], true]);
  expect(await refusalOf(mentions({ parse: ['users'], users: [MEMBER] }))).toMatchObject({ code: 50035 });
});

test('a role is mentioned where it is mentionable, or with the permission for all of them', async () => {
  world = await openLocalDiscord();
  const content = `<@&${STAFF_ROLE}>`;
  expect(await send({ content })).toMatchObject({ mention_roles: [STAFF_ROLE] });
  world.discord.world.deny(CHANNEL, BOT, P.MentionEveryone);
  expect(await send({ content })).toMatchObject({ mention_roles: [] });
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, P.ManageRoles | P.SendMessages);
  const role = await world.rest.post(Routes.guildRoles(GUILD), { body: { mentionable: true } });
  const { id } = role as { id: string };
  expect(await send({ content: `<@&${id}>` })).toMatchObject({ mention_roles: [id] });
});

test('a reply names what it answers', async () => {
  world = await openLocalDiscord();
  const { id } = await world.discord.as(OUTSIDER).say(CHANNEL, 'question');
  expect(await send({ content: 'answer', message_reference: { message_id: id } })).toMatchObject({
    referenced_message: { id, content: 'question' },
  });
  const missing = { content: 'answer', message_reference: { message_id: NOWHERE } };
  expect(await refusalOf(send(missing))).toMatchObject({ code: 50035 });
  await send({ ...missing, message_reference: { message_id: NOWHERE, fail_if_not_exists: false } });
});

test('routes that do not exist are 404, methods that do not are 405', async () => {
  world = await openLocalDiscord();
  expect(await refusalOf(world.rest.get('/no/such/route'))).toMatchObject({ status: 404, code: 0 });
  expect(await refusalOf(world.rest.put(Routes.channelMessages(CHANNEL), { body: {} }))).toMatchObject({
    status: 405,
  });
});

test('a body that is no JSON is 50109', async () => {
  world = await openLocalDiscord();
  const answer = await fetch(`${world.address.apiUrl}/v10/channels/${CHANNEL}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${world.discord.token()}`, 'content-type': 'application/json' },
    body: '{"content":',
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 50109 });
});
