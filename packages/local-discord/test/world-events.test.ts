import { Events, GatewayIntentBits, PermissionFlagsBits as P, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { identifiedSocket, openGatewaySocket, readySocket } from './support/gateway-socket.ts';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  refusalOf,
  STAFF_CHANNEL,
  STAFF_ROLE,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const login = (...intents: GatewayIntentBits[]) =>
  world.login({ intents: [GatewayIntentBits.Guilds, ...intents], waitGuildTimeout: 1000 });

test("a bot's own permissions are fresh in discord.js after a denial", async () => {
  world = await openLocalDiscord();
  const client = await login();
  const channel = client.channels.cache.get(CHANNEL);
  const maySend = () =>
    channel && !channel.isDMBased() && channel.permissionsFor(client.user)?.has(P.SendMessages);
  expect(maySend()).toBe(true);
  world.discord.world.deny(CHANNEL, BOT, P.SendMessages);
  await expect.poll(maySend).toBe(false);
});

test('a role that changes is told', async () => {
  world = await openLocalDiscord();
  const client = await login();
  const role = () => client.guilds.cache.get(GUILD)?.roles.cache.get(BOT_ROLE)?.permissions.has(P.BanMembers);
  expect(role()).toBe(false);
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, P.BanMembers);
  await expect.poll(role).toBe(true);
});

test('members who change and who leave are told to bots with the intent', async () => {
  world = await openLocalDiscord();
  const client = await login(GatewayIntentBits.GuildMembers);
  const without = await login();
  await client.guilds.cache.get(GUILD)?.members.fetch();
  const seen: string[] = [];
  client.on(Events.GuildMemberUpdate, (_, member) => seen.push(`${member.id} is now ${member.nickname}`));
  client.on(Events.GuildMemberRemove, (member) => seen.push(`${member.id} left`));
  without.on(Events.GuildMemberRemove, () => seen.push('told without the intent'));
  world.discord.world.updateMember(GUILD, MEMBER, { nick: 'Nick' });
  world.discord.world.kick(GUILD, MODERATOR);
  await expect.poll(() => seen).toEqual([`${MEMBER} is now Nick`, `${MODERATOR} left`]);
});

test('a bot hears of its own roles without the intent', async () => {
  world = await openLocalDiscord();
  const client = await login();
  const roles = () => client.guilds.cache.get(GUILD)?.members.me?.roles.cache.has(STAFF_ROLE);
  expect(roles()).toBe(false);
  world.discord.world.updateMember(GUILD, BOT, { roles: [BOT_ROLE, STAFF_ROLE] });
  await expect.poll(roles).toBe(true);
});

test('a server that is deleted is gone, for bots and people', async () => {
  world = await openLocalDiscord();
  const client = await login();
  world.discord.world.deleteGuild(GUILD);
  await expect.poll(() => client.guilds.cache.has(GUILD)).toBe(false);
  expect(
    world.discord
      .as(MEMBER)
      .guilds()
      .map(({ id }) => id),
  ).not.toContain(GUILD);
});

test('a bot that asks for members gets all of them, those it names, or those that begin so', async () => {
  world = await openLocalDiscord();
  const client = await login(GatewayIntentBits.GuildMembers);
  const members = client.guilds.cache.get(GUILD)?.members;
  expect((await members?.fetch())?.size).toBe(4);
  expect((await members?.fetch({ user: [MEMBER] }))?.map(({ id }) => id)).toEqual([MEMBER]);
  expect((await members?.fetch({ query: 'mod', limit: 5 }))?.map(({ id }) => id)).toEqual([MODERATOR]);
});

test('a member who is asked for and not there is named', async () => {
  world = await openLocalDiscord();
  const socket = await readySocket(world);
  socket.send({ op: 8, d: { guild_id: GUILD, user_ids: ['1'], limit: 0, nonce: 'n' } });
  const { d } = await socket.frame(({ t }) => t === 'GUILD_MEMBERS_CHUNK');
  expect(d).toMatchObject({ members: [], not_found: ['1'], nonce: 'n', chunk_index: 0, chunk_count: 1 });
});

test('privileged intents that are switched off are 4014', async () => {
  const application = { id: BOT, name: 'Testbot', privilegedIntents: GatewayIntentBits.MessageContent };
  world = await openLocalDiscord({ world: { applications: [application], users: [] } });
  const closeCode = async (intents: number) => {
    const socket = await identifiedSocket(world, { intents });
    return Promise.race([socket.closed, socket.frame(({ t }) => t === 'READY').then(() => 'ready')]);
  };
  expect(await closeCode(GatewayIntentBits.GuildMembers)).toBe(4014);
  expect(await closeCode(GatewayIntentBits.MessageContent)).toBe('ready');
});

test('more than 120 sends a minute are 4008', async () => {
  world = await openLocalDiscord({ rateLimits: {} });
  const socket = openGatewaySocket(world.address.url);
  await socket.hello;
  for (let sends = 0; sends < 120; sends++) socket.send({ op: 1, d: null });
  await expect.poll(() => socket.events.filter(({ op }) => op === 11)).toHaveLength(120);
  socket.send({ op: 1, d: null });
  expect(await socket.closed).toBe(4008);
});

test('a thread of the world comes with its server, as a thread, and later ones as events of threads', async () => {
  world = await openLocalDiscord();
  const control = world.discord.world;
  const first = control.addChannel(GUILD, { name: 'first', parentId: CHANNEL });
  const client = await login();
  const thread = client.channels.cache.get(first);
  expect(thread?.isThread() && [thread.parentId, thread.archived, thread.autoArchiveDuration]).toEqual([
    CHANNEL,
    false,
    1440,
  ]);
  const created = new Promise((resolve) => client.once(Events.ThreadCreate, ({ name }) => resolve(name)));
  const second = control.addChannel(GUILD, { name: 'second', parentId: CHANNEL });
  expect(await created).toBe('second');
  const deleted = new Promise((resolve) => client.once(Events.ThreadDelete, ({ id }) => resolve(id)));
  control.deleteChannel(second);
  expect(await deleted).toBe(second);
});

test('a thread has the permissions of its channel, and its own for writing', async () => {
  world = await openLocalDiscord();
  const control = world.discord.world;
  const hidden = control.addChannel(GUILD, { name: 'hidden', parentId: STAFF_CHANNEL });
  const thread = control.addChannel(GUILD, { name: 'thread', parentId: CHANNEL });
  const member = world.discord.as(MEMBER);
  expect(() => member.messages(hidden)).toThrow('There is no channel');
  expect(await refusalOf(world.rest.get(Routes.channel(hidden)))).toMatchObject({ code: 50001 });
  const send = () => world.rest.post(Routes.channelMessages(thread), { body: { content: 'x' } });
  control.deny(CHANNEL, BOT, P.SendMessages);
  expect(await send()).toMatchObject({ content: 'x' });
  control.deny(CHANNEL, BOT, P.SendMessagesInThreads);
  expect(await refusalOf(send())).toMatchObject({ code: 50013 });
  expect(world.discord.unsupported()).toEqual([]);
});

test('all members come only with the intent, and who begins so at most a hundred', async () => {
  world = await openLocalDiscord();
  const socket = await readySocket(world);
  socket.send({ op: 8, d: { guild_id: GUILD, query: '', limit: 0, nonce: 'all' } });
  socket.send({ op: 8, d: { guild_id: GUILD, query: 'mo', limit: 0, nonce: 'some' } });
  const { d } = await socket.frame(({ t }) => t === 'GUILD_MEMBERS_CHUNK');
  expect(d).toMatchObject({ nonce: 'some', members: [{ user: { username: 'moderator' } }] });
});

test('a server comes with its members to whoever has the intent for presences, and with the bot alone otherwise', async () => {
  world = await openLocalDiscord();
  const membersFor = async (intents: number) => {
    const socket = await identifiedSocket(world, { intents });
    const { d } = await socket.frame(({ t }) => t === 'GUILD_CREATE');
    return d.members;
  };
  const { Guilds, GuildMembers, GuildPresences } = GatewayIntentBits;
  const members = [BOT, MEMBER, MODERATOR].map((id) =>
    expect.objectContaining({ user: expect.objectContaining({ id }) }),
  );
  expect(await membersFor(Guilds | GuildMembers)).toEqual(members.slice(0, 1));
  expect(await membersFor(Guilds | GuildPresences)).toEqual(expect.arrayContaining(members));
});

test('members of several servers can be asked for at once', async () => {
  world = await openLocalDiscord();
  const socket = await readySocket(world, { intents: GatewayIntentBits.GuildMembers });
  socket.send({ op: 8, d: { guild_id: [GUILD], query: '', limit: 0 } });
  const { d } = await socket.frame(({ t }) => t === 'GUILD_MEMBERS_CHUNK');
  expect(d).toMatchObject({ guild_id: GUILD, chunk_count: 1 });
});
