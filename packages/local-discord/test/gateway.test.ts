import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import {
  Client,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Routes,
  Status,
} from 'discord.js';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { identifiedSocket, openGatewaySocket, readySocket } from './support/gateway-socket.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  refusalOf,
  STAFF_CHANNEL,
  smallWorld,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

test('discord.js logs in and learns who it is', async () => {
  const world = await openLocalDiscord();
  const client = await world.login();
  expect(client.user.id).toBe(BOT);
  expect(client.user.bot).toBe(true);
  expect(client.application.id).toBe(BOT);
  expect([...client.guilds.cache.keys()]).toEqual([GUILD]);
});

test('a wrong token is refused at login and by REST', async () => {
  const world = await openLocalDiscord();
  const rest = { api: world.address.apiUrl };
  const client = new Client({ intents: [], rest });
  await expect(client.login('wrong.token.here')).rejects.toThrow();
  const answer = await fetch(`${world.address.apiUrl}/v10/gateway/bot`);
  expect(answer.status).toBe(401);
});

test('an identify with an unknown token closes with 4004', async () => {
  const world = await openLocalDiscord();
  const socket = openGatewaySocket(world.address.url);
  await socket.hello;
  socket.send({ op: 2, d: { token: 'nonsense', intents: 0, properties: {} } });
  expect(await socket.closed).toBe(4004);
});

test('a session that lost its connection resumes and receives what it missed', async () => {
  const world = await openLocalDiscord();
  const client = await world.login({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
  const seen: string[] = [];
  client.on(Events.MessageCreate, (message) => seen.push(message.id));
  const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));

  world.discord.gateway.drop();
  const message = await world.discord.as(MEMBER).say(CHANNEL, 'while you were away');
  await resumed;
  await expect.poll(() => seen).toEqual([message.id]);
  expect(world.discord.gateway.sessions()).toEqual({ total: 1, connected: 1 });
});

test('people see that a bot is back when it has resumed, and not only that it was gone', async () => {
  const world = await openLocalDiscord();
  await world.login();
  const { gateway } = world.discord;
  const seen: boolean[] = [];
  world.discord.as(MEMBER).subscribe(({ type }) => {
    if (type === 'commands-changed') seen.push(gateway.isConnected(BOT));
  });
  gateway.drop();
  await expect.poll(() => seen).toEqual([false, true]);
});

test('a session that nobody resumed is forgotten when its bot comes anew', async () => {
  const clock = createFakeClock();
  const world = await openLocalDiscord({ clock });
  const first = await readySocket(world);
  world.discord.gateway.drop();
  await first.closed;
  await expect.poll(() => world.discord.gateway.sessions().connected).toBe(0);
  await clock.advance(3 * 60_000);
  await readySocket(world);
  expect(world.discord.gateway.sessions()).toEqual({ total: 1, connected: 1 });
});

test('a bot that is asked to reconnect comes back with its session', async () => {
  const world = await openLocalDiscord();
  const client = await world.login();
  const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));
  world.discord.gateway.requestReconnect();
  await resumed;
  expect(client.ws.status).toBe(Status.Ready);
});

test('a bot whose session is invalidated identifies anew', async () => {
  const world = await openLocalDiscord();
  const client = await world.login();
  const ready = new Promise((resolve) => client.once(Events.ShardReady, resolve));
  world.discord.gateway.invalidate();
  await ready;
  expect(world.discord.gateway.sessions()).toEqual({ total: 1, connected: 1 });
});

test('a bot whose heartbeats are not answered notices and resumes', async () => {
  const world = await openLocalDiscord({ heartbeatIntervalMs: 200 });
  const client = await world.login();
  const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));
  const noticed = new Promise((resolve) => client.once(Events.ShardReconnecting, resolve));
  world.discord.gateway.acknowledgeHeartbeats(false);
  await noticed;
  world.discord.gateway.acknowledgeHeartbeats(true);
  await resumed;
});

test('a connection that sends no heartbeats is closed with 4009', async () => {
  const world = await openLocalDiscord({ heartbeatIntervalMs: 50 });
  const socket = openGatewaySocket(world.address.url);
  expect(await socket.closed).toBe(4009);
});

test('servers come as events with the Guilds intent only', async () => {
  const world = await openLocalDiscord();
  const without = await world.login();
  expect(without.guilds.cache.get(GUILD)?.available).toBe(false);
  const client = await world.login({
    intents: [GatewayIntentBits.Guilds],
    waitGuildTimeout: WAIT_TIMEOUT_MS,
  });
  expect(client.guilds.cache.get(GUILD)).toMatchObject({ name: 'First', available: true });
  expect(client.channels.cache.has(CHANNEL)).toBe(true);
});

test('a bot that types is seen to by whoever asks for it, where it may be', async () => {
  const world = await openLocalDiscord();
  const { Guilds, GuildMessageTyping } = GatewayIntentBits;
  const deaf = await world.login({ intents: [Guilds], waitGuildTimeout: WAIT_TIMEOUT_MS });
  const client = await world.login({
    intents: [Guilds, GuildMessageTyping],
    waitGuildTimeout: WAIT_TIMEOUT_MS,
  });
  const heard: string[] = [];
  deaf.on(Events.TypingStart, () => heard.push('without the intent'));
  client.on(Events.TypingStart, ({ user, channel }) => heard.push(`${user.id} in ${channel.id}`));
  const channel = client.channels.cache.get(CHANNEL);
  if (!channel?.isSendable()) throw new Error('the bot does not know the channel');
  await channel.sendTyping();
  await expect.poll(() => heard).toEqual([`${BOT} in ${CHANNEL}`]);
  expect(await refusalOf(world.rest.post(`/channels/${STAFF_CHANNEL}/typing`))).toMatchObject({
    code: 50001,
  });
});

test('the content of others is left out without its intent', async () => {
  const world = await openLocalDiscord();
  const client = await world.login({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
  const contents: string[] = [];
  client.on(Events.MessageCreate, (message) => contents.push(message.content));
  await world.discord.as(MEMBER).say(CHANNEL, 'not for bots');
  await world.discord.as(MEMBER).say(CHANNEL, `for <@${BOT}>`);
  await expect.poll(() => contents).toEqual(['', `for <@${BOT}>`]);
});

test('who may not read what people write gets it neither in an answer nor by REST', async () => {
  const [application] = smallWorld.applications;
  if (!application) throw new Error('the small world has no bot');
  const privilegedIntents = GatewayIntentBits.GuildPresences;
  const world = await openLocalDiscord({
    world: { ...smallWorld, applications: [{ ...application, privilegedIntents }] },
  });
  const client = await world.login({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
  const answered: unknown[] = [];
  client.ws.on(GatewayDispatchEvents.MessageCreate, ({ content, referenced_message }) => {
    if (referenced_message) answered.push(content, referenced_message.content);
  });
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'a secret');
  await member.reply(id, 'another');
  await expect.poll(() => answered).toEqual(['', '']);
  expect(await world.rest.get(Routes.channelMessages(CHANNEL))).toMatchObject([
    { content: '' },
    { content: '' },
  ]);
  expect(await world.rest.get(Routes.channelMessage(CHANNEL, id))).toMatchObject({ content: '' });
  expect(await refusalOf(world.rest.get(Routes.guildMembers(GUILD)))).toMatchObject({ code: 50001 });
});

test('an event goes to the shard of its server, and direct messages to shard 0', async () => {
  const world = await openLocalDiscord();
  const shardOfGuild = Number((BigInt(GUILD) >> 22n) % 2n);
  const intents = GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages;
  const sockets = await Promise.all(
    [0, 1].map((shard) => readySocket(world, { intents, shard: [shard, 2] })),
  );
  const member = world.discord.as(MEMBER);
  await member.say(CHANNEL, 'in the server');
  await member.say(member.openDirectMessage(BOT).id, 'in private');
  const received = async (shard: number) =>
    sockets[shard]?.events.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => d.content);
  await expect.poll(() => received(0)).toContain('in private');
  await expect.poll(() => received(shardOfGuild)).toContain('');
  expect(await received(1 - shardOfGuild)).not.toContain('');
});

test('a client that speaks nonsense, or of a shard with too many servers, is closed with the code for it', async () => {
  const world = await openLocalDiscord();
  world.discord.gateway.overfill(1, 2);
  const cases = [
    ['no json', 4002],
    [JSON.stringify({ op: 1, d: null, note: 'é'.repeat(2_100) }), 4002],
    [JSON.stringify({ op: 99, d: null }), 4001],
    [JSON.stringify({ op: 3, d: {} }), 4003],
    [JSON.stringify({ op: 2, d: {} }), 4002],
    [JSON.stringify({ op: 2, d: { token: world.discord.token(), intents: 1 << 30 } }), 4013],
    [JSON.stringify({ op: 2, d: { token: world.discord.token(), intents: 0, shard: [2, 2] } }), 4010],
    [JSON.stringify({ op: 2, d: { token: world.discord.token(), intents: 0, shard: [1, 2] } }), 4011],
  ] as const;
  for (const [text, code] of cases) {
    const socket = openGatewaySocket(world.address.url);
    await socket.hello;
    socket.raw(text);
    expect(await socket.closed, text).toBe(code);
  }
});

test('an interaction that comes while its bot is away for a moment reaches it on resume', async () => {
  const world = await openLocalDiscord();
  await world.register({ name: 'ping', description: 'd' });
  await world.serve(async (i) => i.isChatInputCommand() && i.reply('back in time'));
  world.discord.gateway.drop();
  const answer = await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  expect(answer).toMatchObject({ kind: 'message', message: { content: 'back in time' } });
});

test('a bot is told how many shards to use, and all that are connected are known', async () => {
  const world = await openLocalDiscord({ recommendedShards: 3, maxConcurrency: 3 });
  await Promise.all([2, 0].map((shard) => world.login({ shards: [shard], shardCount: 3 })));
  expect(world.discord.gateway.shards()).toEqual([0, 2]);
  const client = await world.login({ shards: 'auto' });
  expect(client.ws.shards.size).toBe(3);
});

test('a second identify of one bucket within five seconds is an invalid session', async () => {
  const clock = createFakeClock();
  const world = await openLocalDiscord({ clock, rateLimits: {}, maxConcurrency: 2 });
  const identify = async (shard: number) => {
    const socket = await identifiedSocket(world, { shard: [shard, 4] });
    return socket.frame(({ op }) => op === 0 || op === 9);
  };
  expect(await identify(0)).toMatchObject({ t: 'READY' });
  expect(await identify(1)).toMatchObject({ t: 'READY' });
  expect(await identify(2)).toMatchObject({ op: 9, d: false });
  await clock.advance(5_000);
  expect(await identify(2)).toMatchObject({ t: 'READY' });
});

test('a gateway that compresses is one zlib stream, of texts of every length', async () => {
  const world = await openLocalDiscord();
  const socket = openGatewaySocket(world.address.url, { compress: 'zlib-stream' });
  await socket.hello;
  const intents =
    GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;
  socket.send({ op: 2, d: { token: world.discord.token(), intents } });
  await socket.frame(({ t }) => t === 'GUILD_CREATE');
  const member = world.discord.as(MEMBER);
  for (const content of ['short', 'ä'.repeat(1999), 'short']) await member.say(CHANNEL, content);
  await expect.poll(() => socket.events.filter(({ t }) => t === 'MESSAGE_CREATE').length).toBe(3);
  expect(socket.events.map(({ d }) => d?.content).filter(Boolean)).toEqual([
    'short',
    'ä'.repeat(1999),
    'short',
  ]);
});

test('an encoding and a compression that are not served end the connection, and say so', async () => {
  const world = await openLocalDiscord();
  for (const wanted of [{ encoding: 'etf' }, { compress: 'zstd-stream' }]) {
    const socket = openGatewaySocket(world.address.url, wanted);
    expect(await socket.closed).toBe(GatewayCloseCodes.InvalidAPIVersion);
    const [name, value] = Object.entries(wanted).flat();
    expect(await socket.reason).toContain(`There is no ${name}=${value} here`);
    expect(socket.events).toEqual([]);
  }
  expect(world.discord.unsupported().map(({ route }) => route)).toEqual([
    'encoding=etf',
    'compress=zstd-stream',
  ]);
});

test('an address that no client has ends a connection, and not the local Discord', async () => {
  const world = await openLocalDiscord();
  const wordy = openGatewaySocket(world.address.url, { encoding: '文'.repeat(500) });
  expect(await wordy.closed).toBe(GatewayCloseCodes.InvalidAPIVersion);
  const nowhere = new WebSocket(`${world.address.url.replace('http', 'ws')}//`);
  await new Promise((resolve) => nowhere.on('error', resolve));
  await openGatewaySocket(world.address.url).hello;
});

test('what a bot says of itself is kept, and told to bots with the intent', async () => {
  const world = await openLocalDiscord();
  const client = await world.login({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildPresences],
    waitGuildTimeout: 1000,
  });
  const heard = new Promise<string | undefined>((resolve) =>
    client.on(Events.PresenceUpdate, (_before, { activities }) => resolve(activities[0]?.name)),
  );
  client.user.setActivity('with cats');
  expect(await heard).toBe('with cats');
  expect(world.discord.gateway.presence(BOT)).toMatchObject({
    status: 'online',
    activities: [{ name: 'with cats' }],
  });
  expect(world.discord.unsupported()).toEqual([]);
});
