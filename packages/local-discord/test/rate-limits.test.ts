import { createFakeClock } from '@darkroom/time/testing';
import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { BOT, CHANNEL, MEMBER, SECOND_CHANNEL, type TestDiscord } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const ping = { name: 'ping', description: 'Answers.' };

function call(method: string, path: string, body?: object) {
  return fetch(`${world.address.apiUrl}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${world.discord.token()}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

test('a bucket counts down in its headers, refuses, and opens again', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock, rateLimits: {} });
  const send = () => call('POST', Routes.channelMessages(CHANNEL), { content: 'x' });
  const remaining: (string | null)[] = [];
  for (let n = 0; n < 5; n++) {
    const { headers } = await send();
    expect(headers.get('x-ratelimit-limit')).toBe('5');
    expect(headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
    expect(Number(headers.get('x-ratelimit-reset-after'))).toBeCloseTo(5 - n, 3);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeCloseTo(clock.now() / 1000 + 5 - n, 2);
    remaining.push(headers.get('x-ratelimit-remaining'));
    await clock.advance(1000);
  }
  expect(remaining).toEqual(['4', '3', '2', '1', '0']);
  await send();
  for (let n = 0; n < 4; n++) await send();
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toEqual({
    message: 'You are being rate limited.',
    retry_after: 5,
    global: false,
  });
  expect((await call('POST', Routes.channelMessages(SECOND_CHANNEL), { content: 'x' })).status).toBe(200);
  await clock.advance(5000);
  expect((await send()).status).toBe(200);
});

test('a channel is read five times in five seconds, although its headers promise a thousand', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock, rateLimits: {} });
  const read = () => call('GET', Routes.channelMessages(CHANNEL));
  const announced = ({ headers }: Response) =>
    ['limit', 'remaining', 'reset-after'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
  for (let n = 0; n < 5; n++) expect(announced(await read())).toEqual([1000, 999, 5]);
  const refused = await read();
  expect(refused.status).toBe(429);
  expect(announced(refused)).toEqual([5, 0, 5]);
  expect((await call('GET', Routes.channelMessages(SECOND_CHANNEL))).status).toBe(200);
  await clock.advance(5000);
  expect((await read()).status).toBe(200);
});

test('all calls of one bot token share 50 a second; interactions are not counted', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock, rateLimits: {} });
  for (let n = 0; n < 50; n++) expect((await call('GET', Routes.user())).status).toBe(200);
  const refused = await call('GET', Routes.user());
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-global')).toBe('true');
  expect(refused.headers.get('x-ratelimit-scope')).toBe('global');
  expect(await refused.json()).toMatchObject({ global: true });
  const callback = await call('POST', '/interactions/1234567890123456789/nonsense/callback', { type: 5 });
  expect(callback.status).toBe(404);
  await clock.advance(1000);
  expect((await call('GET', Routes.user())).status).toBe(200);
});

test('an interaction token has its own bucket for each method', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock, rateLimits: {} });
  await world.register(ping);
  const tokens: string[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply('x');
    tokens.push(i.token);
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await member.invoke(CHANNEL, 'ping');
  await expect.poll(() => tokens.length).toBe(2);
  const [one = '', two = ''] = tokens;
  const edit = (token: string) =>
    call('PATCH', `/webhooks/${BOT}/${token}/messages/%40original`, { content: 'y' });
  for (let n = 0; n < 5; n++) expect((await edit(one)).status).toBe(200);
  expect((await edit(one)).status).toBe(429);
  expect((await edit(two)).status).toBe(200);
  await clock.advance(2000);
  expect((await edit(one)).status).toBe(200);
});

test('follow-ups of all interactions share 30 a minute in a channel (20028, scope shared)', async () => {
  world = await openLocalDiscord({
    clock: createFakeClock(),
    rateLimits: { channelFollowUps: { calls: 2, windowMs: 60_000 } },
  });
  await world.register(ping);
  const results: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply('x');
    for (let n = 0; n < 3; n++) {
      const answer = await call('POST', `/webhooks/${BOT}/${i.token}`, { content: 'more' });
      results.push([
        answer.status,
        answer.headers.get('x-ratelimit-scope'),
        ((await answer.json()) as { code?: number }).code,
      ]);
    }
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await expect
    .poll(() => results)
    .toEqual([
      [200, null, undefined],
      [200, null, undefined],
      [429, 'shared', 20028],
    ]);
});

test('messages older than an hour are edited three times in six seconds (30046)', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock, rateLimits: {} });
  const { id } = (await (await call('POST', Routes.channelMessages(CHANNEL), { content: 'x' })).json()) as {
    id: string;
  };
  const edit = () => call('PATCH', Routes.channelMessage(CHANNEL, id), { content: 'y' });
  await clock.advance(3_600_001);
  for (let n = 0; n < 3; n++) expect((await edit()).status).toBe(200);
  const refused = await edit();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 30046, retry_after: 6 });
});

test('discord.js keeps to the announced limits: twelve edits at once bring no 429', async () => {
  world = await openLocalDiscord({ rateLimits: { channelEdit: { calls: 5, windowMs: 300 } } });
  const client = await world.login();
  const { id } = (await client.rest.post(Routes.channelMessages(CHANNEL), { body: { content: 'x' } })) as {
    id: string;
  };
  const edits = Array.from({ length: 12 }, (_, n) =>
    client.rest.patch(Routes.channelMessage(CHANNEL, id), { body: { content: String(n) } }),
  );
  await Promise.all(edits);
  const statuses = world.discord.requests
    .list(({ method }) => method === 'PATCH')
    .map(({ status }) => status);
  expect(statuses).toEqual(Array(12).fill(200));
});
