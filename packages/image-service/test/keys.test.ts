import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { envelope, OPERATIONS } from '@darkroom/image-api';
import { HOUR_MS, systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { body, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

const generate = (world: ServiceWorld, token = world.loginToken) =>
  world.call('/api.php?action=generate_api_key', { json: { token }, headers: {} });
const read = async (answer: Response) =>
  (await body(answer, envelope(OPERATIONS.getKey.answer.sent))).data.api_key;
const revoke = (world: ServiceWorld, json: unknown, headers: Record<string, string> = {}) =>
  world.call('/api.php?action=revoke_api_key', { json, headers });
const works = async (world: ServiceWorld, key: string) =>
  (await world.call('/v1/index.php?endpoint=user_balance', { headers: { 'x-api-key': key } })).status === 200;

test('a login token makes keys that work', async () => {
  const world = await serviceWorld();
  const { data } = await body(await generate(world), envelope(OPERATIONS.generateKey.answer.sent));
  expect(data.api_key).not.toBe(world.key);
  expect(await works(world, data.api_key)).toBe(true);
  expect(await works(world, world.key)).toBe(true);
});

test('under one Idempotency-Key a login token makes one key, and another once that is used, revoked or unreadable', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage });
  const made = async (idempotencyKey: string, token = world.loginToken) => {
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await world.call('/api.php?action=generate_api_key', { json: { token }, headers });
    return (await body(answer, envelope(OPERATIONS.generateKey.answer.sent))).data.api_key;
  };
  const [first, again] = await Promise.all([made('a'), made('a')]);
  expect(again).toBe(first);
  const other = await made('b');
  expect(other).not.toBe(first);
  expect(await made('b', (await world.addAccount()).loginToken)).not.toBe(other);
  await revoke(world, { token: world.loginToken, api_key: first });
  const second = await made('a');
  expect(second).not.toBe(first);
  expect(await works(world, second)).toBe(true);
  // Nobody waits until it is written that it was used.
  await expect.poll(() => made('a')).not.toBe(second);
  const third = await made('a');
  expect(await made('a')).toBe(third);
  const db = await openDatabase(storage.databaseUrl);
  await db.updateTable('keys').set({ sealed: 'by a SECRET_KEY that is lost' }).execute();
  await db.destroy();
  const fourth = await made('a');
  expect([first, second, third]).not.toContain(fourth);
  expect(await made('a')).toBe(fourth);
  expect(await works(world, fourth)).toBe(true);
});

test('a wrong or absent login token makes none', async () => {
  const world = await serviceWorld();
  const wrong = await generate(world, `lt-${'0'.repeat(48)}`);
  expect([wrong.status, (await problemOf(wrong)).code]).toEqual([401, 'invalid_login_token']);
  const none = await world.call('/api.php?action=generate_api_key', { json: {}, headers: {} });
  expect([none.status, (await problemOf(none)).code]).toEqual([401, 'missing_login_token']);
});

test('an account has at most ten active keys', async () => {
  const world = await serviceWorld();
  for (let more = 0; more < 9; more++) expect((await generate(world)).status).toBe(200);
  const answer = await generate(world);
  expect([answer.status, (await problemOf(answer)).code]).toEqual([409, 'too_many_keys']);
  await revoke(world, { token: world.loginToken, api_key: world.key });
  expect((await generate(world)).status).toBe(200);
});

test('an account makes at most twenty keys an hour', async () => {
  let passed = 0;
  const world = await serviceWorld({ clock: { ...systemClock, now: () => Date.now() + passed } });
  for (let more = 0; more < 19; more++) {
    await revoke(world, { token: world.loginToken, all: true });
    expect((await generate(world)).status).toBe(200);
  }
  const refused = await generate(world);
  expect(refused.status).toBe(429);
  const wait = refused.headers.get('retry-after');
  expect(Number(wait)).toBeGreaterThan(3_000);
  const limits = ['limit', 'remaining', 'reset'].map((name) => refused.headers.get(`ratelimit-${name}`));
  expect(limits).toEqual(['20', '0', wait]);
  expect(await problemOf(refused)).toMatchObject({ code: 'rate_limited', details: { max: 20 } });
  passed = HOUR_MS;
  expect((await generate(world)).status).toBe(200);
});

test('the newest active key is read by GET and POST, with the token in body, query or Bearer', async () => {
  const world = await serviceWorld();
  const { api_key: newest } = (
    await body(await generate(world), envelope(OPERATIONS.generateKey.answer.sent))
  ).data;
  const path = '/api.php?action=get_api_key';
  const token = world.loginToken;
  expect(await read(await world.call(path, { json: { token }, headers: {} }))).toBe(newest);
  expect(await read(await world.call(`${path}&token=${token}`, { headers: {} }))).toBe(newest);
  expect(await read(await world.call(path, { headers: { authorization: `Bearer ${token}` } }))).toBe(newest);
  await revoke(world, { token, all: true });
  expect(await read(await world.call(path, { json: { token }, headers: {} }))).toBe(null);
});

test('a key reads itself', async () => {
  const world = await serviceWorld();
  await generate(world);
  expect(await read(await world.call('/api.php?action=get_api_key'))).toBe(world.key);
  const shouted = { headers: { 'x-api-key': world.key.toUpperCase() } };
  expect(await read(await world.call('/api.php?action=get_api_key', shouted))).toBe(world.key);
});

test('a login token revokes one key, or all of them, at once', async () => {
  const world = await serviceWorld();
  const { api_key: second } = (
    await body(await generate(world), envelope(OPERATIONS.generateKey.answer.sent))
  ).data;
  await generate(world);
  const token = world.loginToken;
  expect(await works(world, world.key)).toBe(true);
  const one = await body(
    await revoke(world, { token, api_key: world.key }),
    envelope(OPERATIONS.revokeKey.answer.sent),
  );
  expect(one.data.revoked).toBe(1);
  expect(await works(world, world.key)).toBe(false);
  expect(await works(world, second)).toBe(true);
  const all = await body(
    await revoke(world, { token, all: true }),
    envelope(OPERATIONS.revokeKey.answer.sent),
  );
  expect(all.data.revoked).toBe(2);
  expect(await works(world, second)).toBe(false);
});

test('a key revokes itself and no other', async () => {
  const world = await serviceWorld();
  const { api_key: second } = (
    await body(await generate(world), envelope(OPERATIONS.generateKey.answer.sent))
  ).data;
  const header = { 'x-api-key': world.key };
  expect((await problemOf(await revoke(world, { api_key: second }, header))).code).toBe('key_forbidden');
  expect((await revoke(world, { api_key: world.key }, header)).status).toBe(200);
  expect(await works(world, world.key)).toBe(false);
  expect(await works(world, second)).toBe(true);
});

/** A world whose account has three keys, and how many of them are active after a request. */
async function threeKeys() {
  const world = await serviceWorld();
  for (let more = 0; more < 2; more++) await generate(world);
  const revoked = async (query: string, json: object, headers: Record<string, string> = {}) => {
    const answer = await world.call(`/api.php?action=revoke_api_key${query}`, { json, headers });
    const active = (await world.service.keys.list(world.id)).filter(({ revokedAt }) => revokedAt === null);
    return [answer.status, active.length];
  };
  return { ...world, revoked };
}

test('a login token revokes one key only, wherever that is named', async () => {
  for (const where of ['query', 'x-api-key', 'authorization', 'beside the token as Bearer']) {
    const { revoked, key, loginToken: token } = await threeKeys();
    const answered = {
      query: () => revoked(`&api_key=${key}`, { token }),
      'x-api-key': () => revoked('', { token }, { 'x-api-key': key }),
      authorization: () => revoked('', { token }, { authorization: `Bearer ${key}` }),
      'beside the token as Bearer': () => revoked('', { api_key: key }, { authorization: `Bearer ${token}` }),
    }[where];
    expect([where, await answered?.()]).toEqual([where, [200, 2]]);
  }
});

test('no key is revoked where it is not clear which', async () => {
  const { revoked, key, loginToken: token } = await threeKeys();
  const header = { 'x-api-key': key };
  expect(await revoked('', { token, api_key: '' })).toEqual([409, 3]);
  expect(await revoked('&api_key=', { token })).toEqual([409, 3]);
  expect(await revoked('', { token }, { 'x-api-key': '' })).toEqual([409, 3]);
  expect(await revoked('', { token, all: false })).toEqual([409, 3]);
  expect(await revoked('&all=false', { token })).toEqual([409, 3]);
  expect(await revoked('', { token, all: true, api_key: key })).toEqual([409, 3]);
  expect(await revoked('', { token, all: true }, header)).toEqual([409, 3]);
  expect(await revoked('', { all: true }, header)).toEqual([403, 3]);
  expect(await revoked('', { token, all: false, api_key: key })).toEqual([200, 2]);
  expect(await revoked('', { token })).toEqual([409, 2]);
  expect(await revoked('', { token, api_key: null })).toEqual([409, 2]);
  expect(await revoked('', { token, apiKey: key, key })).toEqual([409, 2]);
  expect(await revoked('', { token, all: true })).toEqual([200, 0]);
});

test('nobody revokes the key of another account', async () => {
  const world = await serviceWorld();
  const other = await world.addAccount();
  const answer = await revoke(world, { token: other.loginToken, api_key: world.key });
  expect([answer.status, (await problemOf(answer)).message]).toEqual([404, 'This account has no such key.']);
  expect(await works(world, world.key)).toBe(true);
});

test('a key that was revoked may be revoked again, and one that never was cannot', async () => {
  const world = await serviceWorld();
  const { loginToken: token, key } = world;
  const revoked = async () =>
    (await body(await revoke(world, { token, api_key: key }), envelope(OPERATIONS.revokeKey.answer.sent)))
      .data.revoked;
  expect([await revoked(), await revoked()]).toEqual([1, 0]);
  const unknown = await revoke(world, { token, api_key: `sk-${'0'.repeat(48)}` });
  expect([unknown.status, (await problemOf(unknown)).code]).toEqual([404, 'not_found']);
});

test('keys and login tokens stand in clear neither in the log nor in the database', async () => {
  const world = await serviceWorld();
  const { key, loginToken } = world;
  await world.call(`/v1/index.php?endpoint=user_balance&api_key=${key}`, { headers: {} });
  await world.call(`/api.php?action=get_api_key&token=${loginToken}`, { headers: {} });
  await world.call('/v1/index.php?endpoint=image_generation', {
    json: { prompt: 'a fox', api_key: key },
    headers: {},
  });
  await world.call(`/v1/index.php?endpoint=nothing&api_key=${key}`);
  for (const name of (await readdir(world.folder)).filter((file) => file.includes('sqlite'))) {
    const bytes = await readFile(join(world.folder, name), 'latin1');
    expect(bytes).not.toContain(key.slice(3, 40));
    expect(bytes).not.toContain(loginToken.slice(3, 40));
  }
  await expect.poll(() => world.lines.join('')).toContain('"status":404');
  const log = world.lines.join('');
  expect(log).toContain('user_balance');
  expect(log).not.toContain(key.slice(3, 40));
  expect(log).not.toContain(loginToken.slice(3, 40));
});

test('a key is shown masked to whoever asks for that', async () => {
  const world = await serviceWorld();
  const { loginToken: token, key } = world;
  const masked = `sk-…${key.slice(-4)}`;
  const path = '/api.php?action=get_api_key';
  expect(await read(await world.call(path, { json: { token, reveal: false }, headers: {} }))).toBe(masked);
  expect(await read(await world.call(`${path}&reveal=false`))).toBe(masked);
  expect(await read(await world.call(`${path}&reveal=true`))).toBe(key);
});
