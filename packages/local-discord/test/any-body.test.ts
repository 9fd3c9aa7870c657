import { anyCodePoint } from '@darkroom/testing';
import { PermissionFlagsBits, Routes } from 'discord.js';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { readySocket } from './support/gateway-socket.ts';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  STAFF_ROLE,
  type TestDiscord,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;
let socket: Awaited<ReturnType<typeof readySocket>>;

beforeEach(async () => {
  world = await openLocalDiscord();
  await world.register({ name: 'ping', description: 'd' });
  socket = await readySocket(world);
});

const any = fc.jsonValue({ maxDepth: 2 });
const maybe = (values: fc.Arbitrary<unknown>) => fc.oneof({ weight: 15, arbitrary: values }, any);

/** Bodies that come close to real ones, so that they pass the schemas and reach the rules behind them. */
const component: fc.Memo<unknown> = fc.memo((depth) => {
  const inner = depth > 1 ? component(depth - 1) : any;
  return fc.record<Record<string, unknown>>(
    {
      type: fc.integer({ min: 0, max: 24 }),
      id: maybe(fc.nat(50)),
      custom_id: maybe(fc.string({ maxLength: 5 })),
      label: maybe(fc.string({ maxLength: 5 })),
      style: maybe(fc.integer({ min: 1, max: 6 })),
      content: maybe(fc.string({ minLength: 1, maxLength: 5 })),
      options: maybe(fc.array(fc.record({ label: fc.string(), value: fc.string() }), { maxLength: 2 })),
      components: maybe(fc.array(inner, { maxLength: 2 })),
      component: maybe(inner),
      accessory: maybe(inner),
      media: maybe(fc.record({ url: fc.constantFrom('attachment://a', 'https://example.com', 'x') })),
      file: maybe(fc.record({ url: fc.constantFrom('attachment://a', 'https://example.com') })),
      items: maybe(fc.array(fc.record({ media: fc.record({ url: fc.webUrl() }) }), { maxLength: 2 })),
    },
    { requiredKeys: ['type'] },
  );
});
const messageBody = fc.record(
  {
    content: maybe(fc.string()),
    embeds: maybe(
      fc.array(
        fc.record(
          {
            title: maybe(fc.string()),
            image: maybe(fc.record({ url: fc.webUrl() })),
            fields: maybe(fc.array(any)),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
    ),
    components: maybe(fc.array(component(3), { maxLength: 3 })),
    attachments: maybe(fc.array(fc.record({ id: fc.oneof(fc.nat(3).map(String), any) }), { maxLength: 3 })),
    flags: maybe(fc.constantFrom(0, 4, 64, 1 << 15, 1 << 30, -1)),
    allowed_mentions: maybe(fc.record({ parse: maybe(fc.constant(['users'])) })),
    message_reference: maybe(fc.record({ message_id: fc.constantFrom('1', BOT) })),
    nonce: maybe(fc.string({ maxLength: 25 })),
    enforce_nonce: maybe(fc.boolean()),
  },
  { requiredKeys: [] },
);
const commandBody = fc.record(
  {
    name: maybe(fc.constantFrom('ping', 'pong', 'Ping', '__proto__')),
    description: maybe(fc.string({ maxLength: 5 })),
    type: maybe(fc.integer({ min: 1, max: 4 })),
    options: maybe(
      fc.array(
        fc.record(
          {
            type: fc.integer({ min: 0, max: 12 }),
            name: fc.constantFrom('a', 'b'),
            description: fc.constant('d'),
            options: any,
            choices: any,
          },
          { requiredKeys: ['type', 'name', 'description'] },
        ),
        { maxLength: 3 },
      ),
    ),
    name_localizations: maybe(fc.dictionary(fc.constantFrom('de', 'xx', '__proto__'), fc.string())),
    default_member_permissions: maybe(fc.constantFrom('0', '32', '-1', 'x', 0, 1.5)),
    contexts: maybe(fc.constant([0, 1, 2])),
  },
  { requiredKeys: [] },
);

async function statusOf(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<number> {
  const answer = await world.discord.app.inject({
    method,
    url: `/api/v10${path}`,
    headers: { authorization: `Bot ${world.discord.token()}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body) ?? '',
  });
  if (answer.statusCode >= 400) expect(answer.json()).toMatchObject({ message: expect.any(String) });
  return answer.statusCode;
}

/** Bodies of what administers a server: a few of these keys, with what they often hold or anything. */
const bits = maybe(fc.constantFrom('8', '1024', 0, 1.5, -1, null));
const administered = fc.record<Record<string, unknown>>(
  {
    name: maybe(fc.string({ minLength: 1, maxLength: 5 })),
    permissions: bits,
    allow: bits,
    deny: bits,
    type: maybe(fc.constantFrom(0, 1, 4, 11, 12, 15)),
    parent_id: maybe(fc.constantFrom(CHANNEL, null)),
    permission_overwrites: maybe(fc.array(maybe(fc.record({ id: fc.constant(MEMBER), allow: bits })))),
    nick: maybe(fc.string({ maxLength: 5 })),
    roles: maybe(fc.array(maybe(fc.constant(GUILD)), { maxLength: 2 })),
    communication_disabled_until: maybe(fc.constantFrom('2030-01-01T00:00:00Z', null)),
    messages: maybe(fc.array(maybe(fc.constant(MEMBER)), { maxLength: 3 })),
    delete_message_seconds: maybe(fc.constantFrom(0, 60)),
    id: maybe(fc.constant(GUILD)),
    position: maybe(fc.nat(3)),
  },
  { requiredKeys: [] },
);

test('no JSON makes a route that administers a server answer 5xx', async () => {
  const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);
  world.discord.world.setRolePermissions(GUILD, BOT_ROLE, all);
  const thread = world.discord.world.addChannel(GUILD, { name: 'thread', parentId: CHANNEL });
  const routes = [
    ['PATCH', Routes.guildMember(GUILD, MEMBER)],
    ['PATCH', Routes.guildMember(GUILD, '@me')],
    ['POST', Routes.guildRoles(GUILD)],
    ['PATCH', Routes.guildRoles(GUILD)],
    ['PATCH', Routes.guildRole(GUILD, STAFF_ROLE)],
    ['POST', Routes.guildChannels(GUILD)],
    ['PATCH', Routes.guildChannels(GUILD)],
    ['PATCH', Routes.channel(CHANNEL)],
    ['PATCH', Routes.channel(thread)],
    ['PUT', Routes.channelPermission(CHANNEL, MEMBER)],
    ['POST', Routes.threads(CHANNEL)],
    ['POST', Routes.channelBulkDelete(CHANNEL)],
    ['PUT', Routes.guildBan(GUILD, MEMBER)],
  ] as const;
  for (const [method, path] of routes) {
    const shaped = fc.oneof(administered, fc.array(administered, { maxLength: 2 }), any);
    const property = fc.asyncProperty(shaped, async (body) => {
      expect([200, 201, 204, 400, 403, 404, 501]).toContain(await statusOf(method, path, body));
    });
    await fc.assert(property, { numRuns: 60 });
  }
});

test('no JSON makes a route of bots answer 5xx', async () => {
  const { id } = (await world.rest.post(Routes.channelMessages(CHANNEL), { body: { content: 'x' } })) as {
    id: string;
  };
  const routes = [
    ['POST', Routes.channelMessages(CHANNEL), messageBody],
    ['PATCH', Routes.channelMessage(CHANNEL, id), messageBody],
    ['POST', Routes.userChannels(), fc.record({ recipient_id: maybe(fc.constantFrom(MEMBER, BOT, '1')) })],
    ['PUT', Routes.applicationCommands(BOT), fc.array(commandBody, { maxLength: 3 })],
    ['POST', Routes.applicationGuildCommands(BOT, GUILD), commandBody],
  ] as const;
  for (const [method, path, shaped] of routes) {
    const property = fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: shaped }, any), async (body) => {
      expect(await statusOf(method, path, body)).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: 150 });
  }
});

test('no JSON makes an answer to an interaction, or a later edit of it, answer 5xx', async () => {
  const member = world.discord.as(MEMBER);
  const callback = fc.record({ type: maybe(fc.integer({ min: 1, max: 12 })), data: maybe(messageBody) });
  const property = fc.asyncProperty(callback, messageBody, async (body, later) => {
    const answer = member.invoke(CHANNEL, 'ping');
    const { d } = await socket.frame(({ t }) => t === 'INTERACTION_CREATE');
    socket.events.length = 0;
    const path = Routes.interactionCallback(String(d.id), String(d.token));
    expect(await statusOf('POST', path, body)).toBeLessThan(500);
    await statusOf('POST', path, { type: 5 });
    await answer;
    const webhook = `/webhooks/${BOT}/${d.token}`;
    expect(await statusOf('PATCH', `${webhook}/messages/@original`, later)).toBeLessThan(500);
    expect(await statusOf('POST', webhook, later)).toBeLessThan(500);
  });
  await fc.assert(property, { numRuns: 150 });
});

test('no bytes in a multipart body make it answer 5xx', async () => {
  const property = fc.asyncProperty(fc.string({ unit: anyCodePoint }), fc.string(), async (text, name) => {
    const part = `--b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\n${text}\r\n--b--\r\n`;
    for (const payload of [text, part]) {
      const answer = await world.discord.app.inject({
        method: 'POST',
        url: `/api/v10${Routes.channelMessages(CHANNEL)}`,
        headers: {
          authorization: `Bot ${world.discord.token()}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        payload,
      });
      expect(answer.statusCode).toBeLessThan(500);
    }
  });
  await fc.assert(property, { numRuns: 100 });
});
