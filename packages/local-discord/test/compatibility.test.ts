import { request } from 'node:http';
import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { identifiedSocket, openGatewaySocket } from './support/gateway-socket.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  type TestDiscord,
  worldWithOlderGuilds,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const headers = () => ({ authorization: `Bot ${world.discord.token()}` });

test('JSON is announced without a charset, errors too, and what is no JSON as what it is', async () => {
  world = await openLocalDiscord();
  const url = `${world.address.apiUrl}/v10`;
  for (const path of ['/users/@me', '/users/1', '/no/such/route']) {
    const response = await fetch(`${url}${path}`, { headers: headers() });
    expect(response.headers.get('content-type')).toBe('application/json');
  }
  world.discord.faults.add({
    every: () => true,
    effect: { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } },
  });
  expect((await fetch(`${url}/users/@me`)).headers.get('content-type')).toBe('text/html');
});

test('version 9 is the same as version 10', async () => {
  world = await openLocalDiscord();
  const response = await fetch(`${world.address.apiUrl}/v9/users/@me`, { headers: headers() });
  expect(await response.json()).toMatchObject({ id: BOT });
  expect(world.discord.requests.list().at(-1)).toMatchObject({ path: '/users/@me', status: 200 });
});

test('a request without a User-Agent is refused', async () => {
  world = await openLocalDiscord();
  const status = await new Promise((resolve, reject) => {
    const options = { headers: headers() };
    request(`${world.address.apiUrl}/v10/users/@me`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
  expect(world.discord.requests.list()).toMatchObject([{ status: 403, code: 40333 }]);
});

test('the gateway takes a token with Bot before it, for IDENTIFY and RESUME', async () => {
  world = await openLocalDiscord();
  const token = `Bot ${world.discord.token()}`;
  const first = await identifiedSocket(world, { token });
  const ready = await first.frame(({ t }) => t === 'READY');
  world.discord.gateway.close(4000);
  await first.closed;
  const second = openGatewaySocket(world.address.url);
  await second.hello;
  second.send({ op: 6, d: { token, session_id: ready.d.session_id, seq: ready.s } });
  await second.frame(({ t }) => t === 'RESUMED');
});

test('an id that is no snowflake is 50035, and names its field', async () => {
  world = await openLocalDiscord();
  const response = await fetch(`${world.address.apiUrl}/v10/channels/general/messages`, {
    headers: headers(),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 50035,
    errors: { channel_id: { _errors: [{ code: 'NUMBER_TYPE_COERCE' }] } },
  });
});

test('a message can be sent as fields of a form, without payload_json', async () => {
  world = await openLocalDiscord();
  const body = new FormData();
  body.set('content', 'with a file');
  body.set('tts', 'false');
  body.set('embeds', JSON.stringify([{ title: 'A title' }]));
  body.set('file', new Blob(['bytes']), 'a.txt');
  const response = await fetch(`${world.address.apiUrl}/v10/channels/${CHANNEL}/messages`, {
    method: 'POST',
    headers: headers(),
    body,
  });
  expect(await response.json()).toMatchObject({
    content: 'with a file',
    embeds: [{ title: 'A title' }],
    attachments: [{ filename: 'a.txt' }],
  });
});

test('a bot is listed no channel that it may not view, but each category that has one which it may', async () => {
  world = await openLocalDiscord();
  const { discord, rest } = world;
  const overwrites = [{ id: GUILD, kind: 'role', deny: PermissionFlagsBits.ViewChannel } as const];
  const listed = async () => {
    const list = (await rest.get(Routes.guildChannels(GUILD))) as { name: string }[];
    return list.map(({ name }) => name);
  };
  const parentId = discord.world.addChannel(GUILD, {
    name: 'closed',
    type: ChannelType.GuildCategory,
    overwrites,
  });
  const within = { type: ChannelType.GuildText, parentId };
  discord.world.addChannel(GUILD, { name: 'hidden', ...within, overwrites });
  expect(await listed()).toEqual(['general', 'second']);
  discord.world.addChannel(GUILD, { name: 'open', ...within });
  expect(await listed()).toEqual(['general', 'second', 'closed', 'open']);
});

test('a bot reads roles, channels, members, its servers and its application', async () => {
  world = await openLocalDiscord();
  const { rest } = world;
  const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
  const usernames = (list: unknown) =>
    (list as { user: { username: string } }[]).map(({ user }) => user.username);
  const query = (text: string) => ({ query: new URLSearchParams(text) });
  expect(names(await rest.get(Routes.guildRoles(GUILD)))).toEqual(['@everyone', 'staff', 'bot']);
  expect(await rest.get(Routes.guildRole(GUILD, GUILD))).toMatchObject({ name: '@everyone' });
  expect(names(await rest.get(Routes.guildChannels(GUILD)))).toEqual(['general', 'second']);
  expect(usernames(await rest.get(Routes.guildMembers(GUILD)))).toEqual(['member']);
  expect(await rest.get(Routes.guildMembers(GUILD), query('limit=1000'))).toHaveLength(4);
  expect(usernames(await rest.get(Routes.guildMembers(GUILD), query(`limit=1&after=${MEMBER}`)))).toEqual([
    'moderator',
  ]);
  expect(usernames(await rest.get(Routes.guildMembersSearch(GUILD), query('query=MOD')))).toEqual([
    'moderator',
  ]);
  expect(await rest.get(Routes.userGuilds(), query('with_counts=true'))).toMatchObject([
    { id: GUILD, owner: false, approximate_member_count: 4 },
  ]);
  expect(await rest.get(Routes.guild(GUILD), query('with_counts=true'))).toMatchObject({
    approximate_member_count: 4,
  });
  expect(await rest.get(Routes.guild(GUILD))).not.toHaveProperty('approximate_member_count');
  expect(await rest.get(Routes.oauth2CurrentApplication())).toMatchObject({
    id: BOT,
    name: 'Testbot',
    owner: { id: MEMBER },
  });
});

test('the first page of more than 200 servers lists 199, and the rest follows', async () => {
  world = await openLocalDiscord({ world: worldWithOlderGuilds(200) });
  const pageAfter = async (after: string) =>
    (await world.rest.get(Routes.userGuilds(), { query: new URLSearchParams({ after }) })) as {
      id: string;
    }[];
  const first = await pageAfter('0');
  expect(first).toHaveLength(199);
  expect(await pageAfter(first.at(-1)?.id ?? '')).toMatchObject([{ name: 'Older 199' }, { id: GUILD }]);
});

test('messages around one are half older and half newer', async () => {
  world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const ids: string[] = [];
  for (const content of ['1', '2', '3', '4', '5']) ids.push((await member.say(CHANNEL, content)).id);
  const found = await world.rest.get(Routes.channelMessages(CHANNEL), {
    query: new URLSearchParams({ around: ids[2] ?? '', limit: '3' }),
  });
  expect((found as { content: string }[]).map(({ content }) => content)).toEqual(['4', '3', '2']);
});
