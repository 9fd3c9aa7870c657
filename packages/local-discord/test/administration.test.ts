import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import {
  ChannelType,
  type Client,
  type CommandInteraction,
  Events,
  GatewayIntentBits as Intent,
  MessageFlags,
  OverwriteType,
  PermissionFlagsBits as P,
  Routes,
} from 'discord.js';
import { expect, test } from 'vitest';
import type { StartOptions } from '../src/start.ts';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_GUILD,
  OUTSIDER,
  refusalOf,
  STAFF_ROLE,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

/** A bot that may do everything but be an administrator, and its server. */
async function start(options: StartOptions = {}) {
  world = await openLocalDiscord(options);
  const all = Object.values(P).reduce((sum, bit) => sum | bit, 0n) & ~P.Administrator;
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, all);
  const intents = [Intent.Guilds, Intent.GuildMembers, Intent.GuildModeration, Intent.GuildMessages];
  const client = await world.login({ intents, waitGuildTimeout: 1000 });
  const guild = await client.guilds.fetch(GUILD);
  return { client, guild };
}

const next = (client: Client, event: string) =>
  new Promise<unknown[]>((resolve) => {
    client.once(event, (...args: unknown[]) => resolve(args));
  });
const textChannel = async (client: Client) => {
  const channel = await client.channels.fetch(CHANNEL);
  if (channel?.type !== ChannelType.GuildText) throw new Error('no text channel');
  return channel;
};

test('a bot names members, gives them roles and takes them back', async () => {
  const { client, guild } = await start();
  const member = await guild.members.fetch(MEMBER);
  const updated = next(client, Events.GuildMemberUpdate);
  expect((await member.setNickname('Nick', 'a reason')).nickname).toBe('Nick');
  await updated;
  expect((await member.roles.add(STAFF_ROLE)).roles.cache.has(STAFF_ROLE)).toBe(true);
  expect((await member.roles.set([])).roles.cache.has(STAFF_ROLE)).toBe(false);
  expect((await guild.members.fetchMe()).nickname).toBe(null);
  expect((await guild.members.editMe({ nick: 'Own' })).nickname).toBe('Own');
  const own = world.rest.put(Routes.guildMemberRole(GUILD, MEMBER, BOT_ROLE));
  expect(await refusalOf(own)).toMatchObject({ code: 50013 });
  expect(world.discord.unsupported()).toEqual([]);
});

test('whoever is timed out may only look, until it ends', async () => {
  const clock = createFakeClock();
  const { guild } = await start({ clock });
  const member = await guild.members.fetch(MEMBER);
  const person = world.discord.as(MEMBER);
  const until = new Date(clock.now() + 60_000).toISOString();
  const body = { communication_disabled_until: until };
  expect(await world.rest.patch(Routes.guildMember(GUILD, member.id), { body })).toMatchObject(body);
  await expect(person.say(CHANNEL, 'x')).rejects.toThrow('You may not write here.');
  expect(person.messages(CHANNEL)).toEqual([]);
  await clock.advance(60_000);
  expect(await person.say(CHANNEL, 'x')).toMatchObject({ content: 'x' });
  const long = { communication_disabled_until: new Date(clock.now() + 29 * DAY_MS).toISOString() };
  const refused = refusalOf(world.rest.patch(Routes.guildMember(GUILD, MEMBER), { body: long }));
  expect(await refused).toMatchObject({ code: 50035 });
});

test('a bot kicks and bans whom it stands above, with the permission for it', async () => {
  const { client, guild } = await start();
  await guild.members.fetch();
  const gone = next(client, Events.GuildMemberRemove);
  await guild.members.kick(MEMBER, 'a reason');
  expect(await gone).toMatchObject([{ id: MEMBER }]);
  const { id } = await world.discord.as(MODERATOR).say(CHANNEL, 'x');
  const banned = next(client, Events.GuildBanAdd);
  await guild.bans.create(MODERATOR, { reason: 'für Ärger', deleteMessageSeconds: 60 });
  expect(await banned).toMatchObject([{ user: { id: MODERATOR } }]);
  expect(await guild.bans.fetch(MODERATOR)).toMatchObject({ reason: 'für Ärger' });
  expect(world.discord.state.messages.has(id)).toBe(false);
  await guild.bans.remove(MODERATOR);
  await expect(guild.bans.fetch(MODERATOR)).rejects.toMatchObject({ code: 10026 });
  await expect(guild.members.kick(OUTSIDER)).rejects.toMatchObject({ code: 50013 });
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, 0n);
  await expect(guild.bans.create(MODERATOR)).rejects.toMatchObject({ code: 50013 });
});

test('a bot makes, changes, moves and removes roles below its own', async () => {
  const { client, guild } = await start();
  const created = next(client, Events.GuildRoleCreate);
  const role = await guild.roles.create({ name: 'made', permissions: P.KickMembers, hoist: true });
  await created;
  expect(role).toMatchObject({ name: 'made', position: 1, hoist: true });
  expect(role.permissions.has(P.KickMembers)).toBe(true);
  expect(await role.edit({ name: 'changed', colors: { primaryColor: 0xff0000 } })).toMatchObject({
    name: 'changed',
    color: 0xff0000,
  });
  await role.setPosition(2);
  expect(await guild.roles.fetch(role.id, { force: true })).toMatchObject({ position: 2 });
  const deleted = next(client, Events.GuildRoleDelete);
  await role.delete();
  expect(await deleted).toMatchObject([{ id: role.id }]);
  const admin = guild.roles.create({ permissions: P.Administrator });
  await expect(admin).rejects.toMatchObject({ code: 50013 });
  await expect(guild.roles.edit(BOT_ROLE, { name: 'x' })).rejects.toMatchObject({ code: 50013 });
});

test.each([
  ChannelType.GuildText,
  ChannelType.GuildVoice,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildStageVoice,
  ChannelType.GuildForum,
] as const)('a bot makes, changes and removes a channel of kind %i', async (type) => {
  const { client, guild } = await start();
  const category = await guild.channels.create({
    name: 'category',
    type: ChannelType.GuildCategory,
    permissionOverwrites: [{ id: GUILD, deny: P.AddReactions }],
  });
  const created = next(client, Events.ChannelCreate);
  const channel = await guild.channels.create({ name: 'made', type, parent: category.id });
  expect(await created).toMatchObject([{ id: channel.id }]);
  expect(channel).toMatchObject({ type, parentId: category.id });
  expect(channel.permissionOverwrites.cache.get(GUILD)?.deny.has(P.AddReactions)).toBe(true);
  const changed = await channel.edit({ name: 'changed', rateLimitPerUser: 5, position: 3 });
  expect(changed.name).toBe('changed');
  expect(await world.rest.get(Routes.channel(channel.id))).toMatchObject({ rate_limit_per_user: 5 });
  await channel.permissionOverwrites.edit(MEMBER, { ViewChannel: false }, { type: OverwriteType.Member });
  expect(() => world.discord.as(MEMBER).commands(channel.id)).toThrow('There is no channel');
  await channel.permissionOverwrites.delete(MEMBER);
  expect(world.discord.as(MEMBER).commands(channel.id)).toEqual([]);
  const deleted = next(client, Events.ChannelDelete);
  await channel.delete();
  expect(await deleted).toMatchObject([{ id: channel.id }]);
  expect(world.discord.unsupported()).toEqual([]);
});

test.each([
  [ChannelType.GuildText, 'our-first-picture'],
  [ChannelType.GuildCategory, 'Our first  Picture'],
] as const)('the name of a channel of kind %i becomes %s', async (type, name) => {
  const { guild } = await start();
  const channel = await guild.channels.create({ name: 'Our first  Picture', type });
  expect(channel.name).toBe(name);
  expect((await channel.setName('Our first  Picture')).name).toBe(name);
});

test('a bot opens threads, and writes, invites, archives and locks in them', async () => {
  const { client, guild } = await start();
  const channel = await textChannel(client);
  const message = await channel.send('begin');
  const thread = await message.startThread({ name: 'of a message' });
  expect(thread).toMatchObject({ id: message.id, type: ChannelType.PublicThread, memberCount: 1 });
  expect(message.hasThread || (await message.fetch(true)).hasThread).toBe(true);
  await thread.send('inside');
  expect(await thread.setArchived(true)).toMatchObject({ archived: true });
  expect((await channel.threads.fetchArchived()).threads.map(({ id }) => id)).toEqual([thread.id]);
  await world.discord.as(MEMBER).say(thread.id, 'opens it');
  expect(await client.channels.fetch(thread.id, { force: true })).toMatchObject({
    archived: false,
    totalMessageSent: 2,
  });
  const hidden = await channel.threads.create({ name: 'hidden', type: ChannelType.PrivateThread });
  expect(() => world.discord.as(MEMBER).messages(hidden.id)).toThrow('There is no channel');
  const joined = next(client, Events.ThreadMembersUpdate);
  await hidden.members.add(MEMBER);
  await joined;
  expect(world.discord.as(MEMBER).messages(hidden.id)).toEqual([]);
  await hidden.setLocked(true);
  const forum = await guild.channels.create({
    name: 'forum',
    type: ChannelType.GuildForum,
    availableTags: [{ name: 'solved' }],
  });
  const [solved] = forum.availableTags;
  const post = await forum.threads.create({
    name: 'post',
    message: { content: 'first' },
    appliedTags: [solved?.id ?? ''],
  });
  const retagged = await forum.setAvailableTags([...forum.availableTags, { name: 'open' }]);
  expect(retagged.availableTags).toMatchObject([{ id: solved?.id, name: 'solved' }, { name: 'open' }]);
  expect(await post.fetchStarterMessage()).toMatchObject({ content: 'first' });
  expect((await guild.channels.fetchActiveThreads()).threads.size).toBe(3);
  const beside = world.rest.post(Routes.channelMessages(forum.id), { body: { content: 'beside the posts' } });
  expect(await refusalOf(beside)).toMatchObject({ status: 400, code: 50008 });
  await expect(world.discord.as(MEMBER).say(forum.id, 'too')).rejects.toThrow('You may not write here.');
  const deleted = next(client, Events.ThreadDelete);
  await post.delete();
  expect(await deleted).toMatchObject([{ id: post.id }]);
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, P.ViewChannel | P.SendMessagesInThreads);
  await expect(hidden.send('x')).rejects.toMatchObject({ code: 160005 });
  expect(world.discord.unsupported()).toEqual([]);
});

test('a bot hears of a post before its first message, which does not count as one of its messages', async () => {
  const { client, guild } = await start();
  const forum = await guild.channels.create({ name: 'forum', type: ChannelType.GuildForum });
  const heard: string[] = [];
  client.on(Events.ThreadCreate, ({ name }) => heard.push(name));
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  const post = await forum.threads.create({ name: 'post', message: { content: 'first' } });
  await expect.poll(() => heard).toEqual(['post', 'first']);
  await post.send('second');
  expect(await client.channels.fetch(post.id, { force: true })).toMatchObject({
    messageCount: 1,
    totalMessageSent: 1,
  });
});

test('a bot that joins a thread is told of the thread', async () => {
  const { client } = await start();
  const thread = await (await textChannel(client)).threads.create({ name: 'thread' });
  await thread.leave();
  const heard: unknown[] = [];
  client.on(Events.Raw, ({ t, d }) => heard.push({ t, id: d.id, isNew: d.newly_created }));
  await thread.join();
  await expect
    .poll(() => heard)
    .toEqual([
      { t: 'THREAD_CREATE', id: thread.id, isNew: undefined },
      { t: 'THREAD_MEMBERS_UPDATE', id: thread.id, isNew: undefined },
    ]);
});

test('only who manages threads writes, uses commands and opens again in one that is locked', async () => {
  const { client } = await start();
  const thread = await (await textChannel(client)).threads.create({ name: 'thread' });
  await world.register({ name: 'ping', description: 'Answers' });
  const member = world.discord.as(MEMBER);
  expect(member.commands(thread.id)).toHaveLength(1);
  const received = new Promise<CommandInteraction>((resolve) => {
    client.once(Events.InteractionCreate, (interaction) => interaction.isCommand() && resolve(interaction));
  });
  const asked = member.invoke(thread.id, 'ping');
  const interaction = await received;
  await thread.edit({ locked: true, archived: true });
  await expect(member.say(thread.id, 'too late')).rejects.toThrow('You may not write here.');
  expect(member.commands(thread.id)).toEqual([]);
  await interaction.reply('begun before');
  await asked;
  expect(await client.channels.fetch(thread.id, { force: true })).toMatchObject({ archived: true });
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, P.ViewChannel | P.SendMessagesInThreads);
  const open = world.rest.patch(Routes.channel(thread.id), { body: { archived: false } });
  expect(await refusalOf(open)).toMatchObject({ status: 403, code: 50013 });
  world.discord.world.setRolePermissions(
    GUILD,
    GUILD,
    P.ViewChannel | P.SendMessagesInThreads | P.ManageThreads,
  );
  expect(await member.say(thread.id, 'as a moderator')).toMatchObject({ content: 'as a moderator' });
});

test('nothing changes in an archived thread until it is opened', async () => {
  const { client } = await start();
  const thread = await (await textChannel(client)).threads.create({ name: 'thread' });
  const message = await thread.send('a fox');
  const { rest } = world;
  const at = Routes.channelMessage(thread.id, message.id);
  const reaction =
    `/channels/${thread.id}/messages/${message.id}/reactions/${encodeURIComponent('👍')}/@me` as const;
  const changes = {
    edit: () => rest.patch(at, { body: { content: 'two foxes' } }),
    reaction: () => rest.put(reaction),
    name: () => rest.patch(Routes.channel(thread.id), { body: { name: 'foxes' } }),
    join: () => rest.put(Routes.threadMembers(thread.id, '@me')),
    invitation: () => rest.put(Routes.threadMembers(thread.id, MEMBER)),
    removal: () => rest.delete(Routes.threadMembers(thread.id, MEMBER)),
    deletion: () => rest.delete(at),
  };
  await thread.setArchived(true);
  for (const [name, change] of Object.entries(changes))
    expect(await refusalOf(change()), name).toMatchObject({ status: 400, code: 50083 });
  await rest.patch(Routes.channel(thread.id), { body: { archived: false } });
  for (const change of Object.values(changes)) await change();
});

/** An interaction in a thread, which was answered. */
async function answeredIn(client: Client, threadId: string): Promise<CommandInteraction> {
  await world.register({ name: 'ping', description: 'Answers' });
  const received = new Promise<CommandInteraction>((resolve) => {
    client.once(Events.InteractionCreate, (interaction) => interaction.isCommand() && resolve(interaction));
  });
  const asked = world.discord.as(MEMBER).invoke(threadId, 'ping');
  const interaction = await received;
  await interaction.reply('one');
  await asked;
  return interaction;
}

test('an answer changes in an open thread only, and another one opens it', async () => {
  const { client } = await start();
  const thread = await (await textChannel(client)).threads.create({ name: 'thread' });
  const interaction = await answeredIn(client, thread.id);
  await thread.setArchived(true);
  const archived = { status: 400, code: 50083 };
  expect(await refusalOf(interaction.editReply('two'))).toMatchObject(archived);
  expect(await refusalOf(interaction.deleteReply())).toMatchObject(archived);
  await interaction.followUp('three');
  expect(await client.channels.fetch(thread.id, { force: true })).toMatchObject({ archived: false });
  await interaction.editReply('two');
  await interaction.deleteReply();
});

test('in a locked thread a bot that does not manage threads answers privately alone', async () => {
  const { client } = await start();
  const thread = await (await textChannel(client)).threads.create({ name: 'thread' });
  const { id } = await thread.send('a fox');
  const interaction = await answeredIn(client, thread.id);
  await thread.setLocked(true);
  world.discord.world.deny(CHANNEL, BOT, P.ManageThreads);
  const edit = () => world.rest.patch(Routes.channelMessage(thread.id, id), { body: { content: 'foxes' } });
  for (const call of [edit, () => interaction.editReply('two'), () => interaction.followUp('three')])
    expect(await refusalOf(call())).toMatchObject({ status: 400, code: 160005 });
  await interaction.followUp({ content: 'three', flags: MessageFlags.Ephemeral });
  world.discord.world.deny(CHANNEL, BOT, 0n);
  await thread.setArchived(true);
  world.discord.world.deny(CHANNEL, BOT, P.ManageThreads);
  expect(await refusalOf(interaction.followUp('four'))).toMatchObject({ code: 50083 });
});

test('who may write in a thread opens it and invites, and who manages it sends others away', async () => {
  const { client } = await start();
  const channel = await textChannel(client);
  const thread = await channel.threads.create({ name: 'thread' });
  const hidden = await channel.threads.create({ name: 'hidden', type: ChannelType.PrivateThread });
  for (const { members } of [thread, hidden]) await members.add(MEMBER);
  world.discord.world.deny(CHANNEL, BOT, P.ManageThreads);
  const forbidden = { status: 403, code: 50013 };
  expect(await refusalOf(thread.members.remove(MEMBER))).toMatchObject(forbidden);
  await hidden.members.remove(MEMBER);
  await thread.setArchived(true);
  world.discord.world.deny(CHANNEL, BOT, P.SendMessagesInThreads);
  expect(await refusalOf(hidden.members.add(MEMBER))).toMatchObject(forbidden);
  const open = () => world.rest.patch(Routes.channel(thread.id), { body: { archived: false } });
  expect(await refusalOf(open())).toMatchObject(forbidden);
  world.discord.world.deny(CHANNEL, BOT, 0n);
  await open();
});

test('archived threads are listed from the one that was archived last', async () => {
  const clock = createFakeClock();
  const { client } = await start({ clock });
  const { threads } = await textChannel(client);
  const made = [await threads.create({ name: 'first' }), await threads.create({ name: 'second' })];
  for (const thread of made) {
    await clock.advance(1000);
    await thread.setArchived(true);
  }
  const listed = await threads.fetchArchived();
  expect(listed.threads.map(({ name }) => name)).toEqual(['second', 'first']);
});

test('threads stand in text channels, and news have threads of their own kind', async () => {
  const { client, guild } = await start();
  const open = (channelId: string, type: ChannelType) =>
    world.rest.post(Routes.threads(channelId), { body: { name: 'thread', type } });
  const channel = await textChannel(client);
  const thread = await channel.threads.create({ name: 'thread' });
  const voice = await guild.channels.create({ name: 'voice', type: ChannelType.GuildVoice });
  const conversation = await (await client.users.fetch(MEMBER)).createDM();
  for (const { id } of [thread, voice, conversation]) {
    expect(await refusalOf(open(id, ChannelType.PublicThread))).toMatchObject({ status: 400, code: 50024 });
  }
  const { id } = await conversation.send('hello');
  expect(
    await refusalOf(world.rest.post(Routes.threads(conversation.id, id), { body: { name: 'x' } })),
  ).toMatchObject({
    code: 50024,
  });
  expect(await refusalOf(open(CHANNEL, ChannelType.AnnouncementThread))).toMatchObject({
    code: 50035,
    errors: { type: {} },
  });
});

test('a channel stands in a category of its own server, or in none', async () => {
  const { guild } = await start();
  const channel = await guild.channels.create({ name: 'channel' });
  const category = { name: 'category', type: ChannelType.GuildCategory };
  const elsewhere = world.discord.world.addChannel(OTHER_GUILD, category);
  for (const parent of ['123456789012345678', CHANNEL, channel.id, elsewhere]) {
    const body = { name: 'another', parent_id: parent };
    const all = [{ id: channel.id, parent_id: parent }];
    for (const refused of [
      world.rest.post(Routes.guildChannels(GUILD), { body }),
      world.rest.patch(Routes.channel(channel.id), { body }),
      world.rest.patch(Routes.guildChannels(GUILD), { body: all }),
    ]) {
      expect(await refusalOf(refused)).toMatchObject({ code: 50035, errors: { parent_id: {} } });
    }
  }
});

test('who manages a channel and no roles leaves alone what others may in it', async () => {
  const { guild } = await start();
  const channel = await guild.channels.create({ name: 'channel' });
  const overwrite = { id: STAFF_ROLE, type: OverwriteType.Role, deny: `${P.SendMessages}` };
  const change = (body: object) => world.rest.patch(Routes.channel(channel.id), { body });
  await change({ permission_overwrites: [overwrite] });
  const gone = () => world.rest.delete(Routes.channelPermission(channel.id, MEMBER));
  expect(await refusalOf(gone())).toMatchObject({ status: 404, code: 10009 });
  world.discord.world.deny(channel.id, BOT, P.ManageRoles);
  expect(await refusalOf(change({ permission_overwrites: [] }))).toMatchObject({ status: 403, code: 50013 });
  await change({ topic: 'what it is about' });
});

test('a message keeps its thread when it is edited', async () => {
  const { client } = await start();
  const message = await (await textChannel(client)).send('hello');
  await message.startThread({ name: 'thread' });
  expect((await message.edit('hello again')).flags.has(MessageFlags.HasThread)).toBe(true);
});

test('of a parameter that is given twice, the last one counts', async () => {
  await start();
  const query = new URLSearchParams('query=none&query=mem');
  const found = await world.rest.get(Routes.guildMembersSearch(GUILD), { query });
  expect(found).toMatchObject([{ user: { id: MEMBER } }]);
});

test('channels outlive their category', async () => {
  const { client, guild } = await start();
  const category = await guild.channels.create({ name: 'category', type: ChannelType.GuildCategory });
  const inside = await guild.channels.create({ name: 'inside', parent: category.id });
  const updated = next(client, Events.ChannelUpdate);
  await category.delete();
  expect(await updated).toMatchObject([{}, { id: inside.id, parentId: null }]);
  expect(await client.channels.fetch(inside.id, { force: true })).toMatchObject({ parentId: null });
});

test('messages that are deleted in bulk are one event', async () => {
  const { client } = await start();
  const channel = await textChannel(client);
  const member = world.discord.as(MEMBER);
  for (const content of ['a', 'b', 'c']) await member.say(CHANNEL, content);
  const [, kept] = await Promise.all([member.say(CHANNEL, 'd'), channel.messages.fetch()]);
  const [id = ''] = kept.keys();
  const refusal = (...messages: string[]) =>
    refusalOf(world.rest.post(Routes.channelBulkDelete(CHANNEL), { body: { messages } }));
  expect(await refusal(id, id)).toMatchObject({ status: 400, code: 50035 });
  expect(await refusal(id)).toMatchObject({ status: 400, code: 50016 });
  expect(await refusal(...Array<string>(101).fill(id))).toMatchObject({ status: 400, code: 50016 });
  const deleted = next(client, Events.MessageBulkDelete);
  expect((await channel.bulkDelete([...kept.keys()])).size).toBe(kept.size);
  await deleted;
  expect(
    member
      .messages(CHANNEL)
      .map(({ id }) => id)
      .filter((id) => kept.has(id)),
  ).toEqual([]);
});
