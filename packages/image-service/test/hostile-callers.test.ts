import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createDeferred, watchHeap } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { instantEngine } from './support/engines.ts';
import { problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';

const SUBMIT = '/v1/index.php?endpoint=image_generation';
const wrong = `sk-${'0'.repeat(48)}`;
const json = { 'content-type': 'application/json' };

/** Sends a request as bytes, so that a test decides how much of its body arrives; collects what is answered. */
async function rawRequest(world: ServiceWorld, path: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  let answered = '';
  socket.on('data', (chunk) => {
    answered += chunk;
  });
  const lines = Object.entries({ host: 'service', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    socket,
    async statusLine(): Promise<string> {
      while (!answered.includes('\r\n')) await once(socket, 'data');
      return answered.slice(0, answered.indexOf('\r\n'));
    },
  };
}

test.each([
  ['in a header', (key: string) => [SUBMIT, { 'x-api-key': key }] as const],
  ['in the query', (key: string) => [`${SUBMIT}&api_key=${key}`, {}] as const],
])('a wrong key %s is refused before the body arrives', async (_where, of) => {
  const world = await serviceWorld();
  const [path, headers] = of(wrong);
  const request = await rawRequest(world, path, { ...headers, ...json, 'content-length': '1000000' });
  expect(await request.statusLine()).toBe('HTTP/1.1 401 Unauthorized');
});

test('submissions beyond the limit are refused before their bodies arrive', async () => {
  const world = await serviceWorld({ limits: { perMinute: 1 } });
  await world.submit({ prompt: 'a fox' });
  const headers = { 'x-api-key': world.key, ...json, 'content-length': '1000000' };
  const request = await rawRequest(world, SUBMIT, headers);
  expect(await request.statusLine()).toBe('HTTP/1.1 429 Too Many Requests');
});

test('submissions that are not valid count as well, whoever makes them', async () => {
  const world = await serviceWorld({ limits: { perMinute: 3 } });
  const body = (key?: string) => ({ json: { prompt: {}, api_key: key }, headers: {} });
  const answers = [
    await world.submit({ prompt: 5 }),
    await world.call(SUBMIT, body(world.key)),
    await world.call(SUBMIT, { method: 'POST', body: '{', headers: { 'x-api-key': world.key, ...json } }),
    await world.call(SUBMIT, body(world.key)),
    await world.submit({ prompt: 'a fox' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0', '0']);
});

test('of a body that may hold the key, at most 64 KB are read', async () => {
  const world = await serviceWorld();
  const graph = Object.fromEntries(
    Array.from({ length: 150 }, (_, id) => [id, { class_type: 'Note', inputs: { text: 'a'.repeat(600) } }]),
  );
  const inBody = await world.call(SUBMIT, { json: { prompt: graph, api_key: world.key }, headers: {} });
  expect(await problemOf(inBody)).toMatchObject({ code: 'body_too_large', details: { max: 65_536 } });
  expect((await world.submit({ prompt: graph })).status).toBe(200);
});

test('a prompt in words is a small body', async () => {
  const world = await serviceWorld();
  const refused = await world.submit({ prompt: 'a fox', note: 'a'.repeat(140_000) });
  expect(await problemOf(refused)).toMatchObject({ code: 'body_too_large', details: { max: 131_072 } });
  expect(
    (await world.submit({ prompt: '\u0001'.repeat(10_000), negative_prompt: '\u0001'.repeat(9_000) })).status,
  ).toBe(200);
});

test('a body of more values than any graph has is refused without being read', async () => {
  const world = await serviceWorld();
  const values = await world.submit({ prompt: 'a fox', note: Array.from({ length: 25_000 }, () => 1) });
  expect(await problemOf(values)).toMatchObject({ code: 'invalid_request', message: /at most 20000 values/ });
  expect((await world.submit({ prompt: `a ${'fox, '.repeat(1_900)}` })).status).toBe(200);
});

test('who fails too often from one address is told to wait, and valid keys from there are not', async () => {
  const clock = createFakeClock();
  const world = await serviceWorld({ clock, limits: { failuresPerMinute: 2 } });
  const ask = async (headers: Record<string, string>) =>
    (await world.call('/v1/index.php?endpoint=user_balance', { headers })).status;
  expect([await ask({}), await ask({ 'x-api-key': wrong }), await ask({ 'x-api-key': wrong })]).toEqual([
    401, 401, 429,
  ]);
  expect(await ask({ 'x-api-key': world.key })).toBe(200);
  await clock.advance(60_000);
  expect(await ask({ 'x-api-key': wrong })).toBe(401);
});

test('behind a proxy that is trusted, callers who fail are told apart by their own addresses', async () => {
  const statuses = async (world: ServiceWorld) => {
    const found = [];
    for (const from of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
      const headers = { 'x-api-key': wrong, 'x-forwarded-for': from };
      found.push((await world.call('/v1/index.php?endpoint=user_balance', { headers })).status);
    }
    return found;
  };
  const limits = { failuresPerMinute: 1 };
  expect(await statuses(await serviceWorld({ limits }))).toEqual([401, 429, 429]);
  expect(await statuses(await serviceWorld({ limits, trustProxy: 1 }))).toEqual([401, 429, 401]);
  expect(await statuses(await serviceWorld({ limits, trustProxy: ['127.0.0.0/8'] }))).toEqual([
    401, 429, 401,
  ]);
});

test('a body whose bytes come one by one takes the memory of a body', async () => {
  const world = await serviceWorld();
  const headers = { 'x-api-key': world.key, ...json, 'transfer-encoding': 'chunked' };
  const { socket, statusLine } = await rawRequest(world, SUBMIT, headers);
  const growth = watchHeap();
  let most = 0;
  for (let sent = 0; sent < 1_000_000; sent += 100_000) {
    await new Promise((resolve) => socket.write('1\r\n \r\n'.repeat(100_000), resolve));
    most = Math.max(most, growth());
  }
  socket.write('0\r\n\r\n');
  expect(await statusLine()).toBe('HTTP/1.1 413 Payload Too Large');
  expect(most).toBeLessThan(32 * 1024 ** 2);
});

test('a body beyond the limit is answered, and read to its end so that the answer is', async () => {
  const world = await serviceWorld();
  const body = Buffer.alloc(1_200_000, 'a');
  const headers = { 'x-api-key': world.key, ...json, 'content-length': String(body.length) };
  const { socket, statusLine } = await rawRequest(world, SUBMIT, headers);
  expect(await statusLine()).toBe('HTTP/1.1 413 Payload Too Large');
  // A client that only reads once it has sent everything: the connection must neither be reset nor closed before.
  socket.write(body.subarray(0, 600_000));
  await delay(50);
  await new Promise((resolve) => socket.write(body.subarray(600_000), resolve));
  expect(socket.readyState).toBe('open');
});

test('a body that nobody wants is read slowly, also where much of it has arrived before it is refused', async () => {
  const world = await serviceWorld();
  const body = Buffer.alloc(48_000_000, 'a');
  const headers = { 'x-api-key': wrong, ...json, 'content-length': String(body.length) };
  const { socket, statusLine } = await rawRequest(world, SUBMIT, headers);
  socket.write(body);
  expect(await statusLine()).toBe('HTTP/1.1 401 Unauthorized');
  await delay(1_000);
  expect(socket.writableLength).toBeGreaterThan(0);
  expect(socket.readyState).toBe('open');
});

test('without a key every operation says so before it says what else is wrong', async () => {
  const world = await serviceWorld();
  const statuses: Record<string, number> = {};
  for (const operation of [
    'v1/index.php?endpoint=image_generation',
    'v1/index.php?endpoint=cancel_task',
    'api.php?action=generate_api_key',
    'api.php?action=get_api_key',
    'api.php?action=revoke_api_key',
  ]) {
    for (const [name, init] of Object.entries({
      wrong: { body: '[1]', headers: json },
      broken: { body: '{"a', headers: json },
      text: { body: 'hello', headers: { 'content-type': 'text/plain' } },
    })) {
      statuses[`${operation} ${name}`] = (
        await world.call(`/${operation}`, { method: 'POST', ...init })
      ).status;
    }
  }
  for (const query of ['endpoint=task_status', 'endpoint=task_list&limit=many', 'endpoint=user_balance'])
    statuses[query] = (await world.call(`/v1/index.php?${query}`, { headers: {} })).status;
  expect(Object.entries(statuses).filter(([, status]) => status !== 401)).toEqual([]);
});

test.each([
  [
    'a key is revoked',
    ({ call, loginToken }: ServiceWorld) =>
      call('/api.php?action=revoke_api_key', { json: { token: loginToken, all: true }, headers: {} }),
  ],
  ['an account is disabled', ({ service, id }: ServiceWorld) => service.accounts.setDisabled(id, true)],
])(
  'a submission that is under way while %s spends nothing',
  async (_, end: (world: ServiceWorld) => unknown) => {
    const looking = createDeferred<void>();
    const seen = createDeferred<void>();
    const engine = {
      ...instantEngine(),
      async rejection() {
        looking.resolve();
        await seen.promise;
        return undefined;
      },
    };
    const world = await serviceWorld({ engine });
    const submitted = world.submit({ prompt: 'a red fox' });
    await looking.promise;
    await end(world);
    seen.resolve();
    const refused = await submitted;
    expect([refused.status, (await problemOf(refused)).code]).toEqual([401, 'invalid_api_key']);
    expect(await world.service.ledger.balance(world.id)).toBe(100_000);
  },
);
