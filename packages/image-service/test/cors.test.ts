import { expect, test } from 'vitest';
import { loadServiceConfig } from '../src/config.ts';
import { serviceWorld } from './support/service.ts';

const PAGE = 'https://app.example.com';

/** What a browser asks before a page at `origin` may submit. */
const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: PAGE,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-api-key,content-type,idempotency-key',
  },
};
const SUBMIT = '/v1/index.php?endpoint=image_generation';

test('without a setting no page of another origin may call', async () => {
  const world = await serviceWorld();
  expect((await world.call(SUBMIT, preflight)).headers.get('access-control-allow-origin')).toBeNull();
  const answer = await world.call('/v1/user_balance', { headers: { origin: PAGE, 'x-api-key': world.key } });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('a page of an origin that is set may submit, poll, read why it is refused, and fetch the picture', async () => {
  const world = await serviceWorld({ corsOrigins: [PAGE, 'https://other.example.com'] });
  const allowed = await world.call(SUBMIT, preflight);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(PAGE);
  const headers = allowed.headers.get('access-control-allow-headers')?.split(', ');
  expect(headers).toEqual(expect.arrayContaining(['x-api-key', 'content-type', 'idempotency-key']));

  const refused = await world.call('/v1/user_balance', { headers: { origin: PAGE } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE);
  expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
  expect(refused.headers.has('access-control-allow-credentials')).toBe(false);

  const task = await world.until(await world.submitted({ prompt: 'a fox' }));
  const picture = await fetch(task.status === 'completed' ? task.result.image_url : '', {
    headers: { origin: PAGE },
  });
  expect(picture.headers.get('access-control-allow-origin')).toBe(PAGE);
});

test('what asks for options and is no preflight is told the methods', async () => {
  const world = await serviceWorld({ corsOrigins: [PAGE] });
  const answer = await world.call(SUBMIT, { method: 'OPTIONS' });
  expect([answer.status, answer.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST']);
});

test('a page of any other origin may not, and * lets every one in', async () => {
  const elsewhere = { headers: { origin: 'https://evil.example.com' } };
  const some = await serviceWorld({ corsOrigins: [PAGE] });
  expect((await some.call('/openapi.json', elsewhere)).headers.has('access-control-allow-origin')).toBe(
    false,
  );
  const any = await serviceWorld({ corsOrigins: ['*'] });
  expect((await any.call('/openapi.json', elsewhere)).headers.get('access-control-allow-origin')).toBe('*');
});

test.each(['app.example.com', 'https://app.example.com/path', 'https://App.example.com', ''])(
  'the origin %j is refused where it is none',
  (SERVICE_CORS_ORIGINS) => {
    const load = () => loadServiceConfig({ SERVICE_CORS_ORIGINS });
    if (SERVICE_CORS_ORIGINS === '') expect(load().SERVICE_CORS_ORIGINS).toBeUndefined();
    else expect(load).toThrow('SERVICE_CORS_ORIGINS: expected origins such as');
  },
);
