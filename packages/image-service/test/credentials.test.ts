import { expect, test } from 'vitest';
import { problemOf, serviceWorld } from './support/service.ts';

const path = '/v1/index.php?endpoint=user_balance';
const wrong = `sk-${'0'.repeat(48)}`;

test('a balance names the account of the key', async () => {
  const world = await serviceWorld();
  const answer = await world.call(path);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    success: true,
    data: { user_id: world.id, username: world.username, balance: 100, currency: 'credits' },
    error: null,
  });
});

test('a key is taken from x-api-key, Bearer, the query and the body', async () => {
  const world = await serviceWorld();
  const { key } = world;
  expect((await world.call(path, { headers: { 'x-api-key': key } })).status).toBe(200);
  expect((await world.call(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  expect((await world.call(`${path}&api_key=${key}`, { headers: {} })).status).toBe(200);
  const submission = await world.call('/v1/index.php?endpoint=image_generation', {
    json: { prompt: 'a fox', api_key: key },
    headers: {},
  });
  expect(submission.status).toBe(200);
});

test('of several keys the highest in order counts, even where it is wrong', async () => {
  const world = await serviceWorld();
  const { key } = world;
  const tries: [string, Record<string, string>, number][] = [
    [path, { 'x-api-key': key, authorization: `Bearer ${wrong}` }, 200],
    [path, { 'x-api-key': wrong, authorization: `Bearer ${key}` }, 401],
    [`${path}&api_key=${wrong}`, { authorization: `Bearer ${key}` }, 200],
    [`${path}&api_key=${key}`, { authorization: `Bearer ${wrong}` }, 401],
  ];
  for (const [address, headers, status] of tries) {
    expect((await world.call(address, { headers })).status).toBe(status);
  }
  const submit = (inQuery: string, inBody: string) =>
    world.call(`/v1/index.php?endpoint=image_generation&api_key=${inQuery}`, {
      json: { prompt: 'a fox', api_key: inBody },
      headers: {},
    });
  expect((await submit(key, wrong)).status).toBe(200);
  expect((await submit(wrong, key)).status).toBe(401);
});

test('no key and an unknown key are told apart', async () => {
  const world = await serviceWorld();
  const none = await world.call(path, { headers: {} });
  expect([none.status, (await problemOf(none)).code]).toEqual([401, 'missing_api_key']);
  const unknown = await world.call(path, { headers: { 'x-api-key': wrong } });
  expect([unknown.status, (await problemOf(unknown)).code]).toEqual([401, 'invalid_api_key']);
});

test('an answer for want of credentials says in its headers as what they are taken', async () => {
  const world = await serviceWorld();
  const without = [
    world.call(path, { headers: {} }),
    world.call(path, { headers: { 'x-api-key': wrong } }),
    world.call('/api.php?action=generate_api_key', { json: {}, headers: {} }),
    world.call('/api.php?action=generate_api_key', { json: { token: 'wrong' }, headers: {} }),
  ];
  for (const { status, headers } of await Promise.all(without))
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect((await world.call(path)).headers.has('www-authenticate')).toBe(false);
});

test('a key is asked for before anything is said about the rest of a submission', async () => {
  const world = await serviceWorld();
  const answer = await world.call('/v1/index.php?endpoint=image_generation', { json: {}, headers: {} });
  expect((await problemOf(answer)).code).toBe('missing_api_key');
});

test('no cache may keep what is answered to a key, but a picture, which needs none', async () => {
  const world = await serviceWorld();
  const { result } = await world.until(await world.submitted({ prompt: 'a fox' }));
  const picture = new URL(result?.image_url ?? '').pathname;
  const cached = async (address: string, headers?: Record<string, string>) =>
    (await world.call(address, { ...(headers && { headers }) })).headers.get('cache-control');
  expect(await cached(path)).toBe('no-store');
  expect(await cached(`${path}&api_key=${world.key}`, {})).toBe('no-store');
  expect(await cached(path, { 'x-api-key': wrong })).toBe('no-store');
  expect(await cached('/v1/index.php?endpoint=nothing')).toBe('no-store');
  expect(await cached('/files/nothing.png')).toBe('no-store');
  expect(await cached(picture, {})).toMatch(/^public, max-age=\d+, immutable$/);
});
