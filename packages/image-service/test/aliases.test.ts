import { envelope, OPERATIONS } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aliasOf, withoutAlias } from '../src/http/operation.ts';
import { controlledEngine } from './support/engines.ts';
import { body, problemOf, serviceWorld } from './support/service.ts';

test('a whole story goes by the aliases, with the answers of the interface itself', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const submitted = await world.call('/v1/image_generation', { json: { prompt: 'a fox' } });
  const { id } = (await body(submitted, envelope(OPERATIONS.submit.answer.sent))).data;
  await (await engine.next()).finish();
  await world.until(id);

  const pairs = [
    [`/v1/task_status?task_id=${id}`, `/v1/index.php?endpoint=task_status&task_id=${id}`],
    ['/v1/task_list?limit=1', '/v1/index.php?endpoint=task_list&limit=1'],
    ['/v1/user_balance', '/v1/index.php?endpoint=user_balance'],
    ['/api/get_api_key', '/api.php?action=get_api_key'],
  ];
  for (const [alias = '', own = ''] of pairs) {
    const [one, other] = [await world.call(alias), await world.call(own)];
    expect(one.status, alias).toBe(200);
    expect(await one.json(), alias).toEqual(await other.json());
  }
});

test('submissions by the alias count towards the same limit', async () => {
  const world = await serviceWorld({ limits: { perMinute: 1 } });
  expect((await world.call('/v1/image_generation', { json: { prompt: 'a fox' } })).status).toBe(200);
  expect((await world.submit({ prompt: 'a fox' })).status).toBe(429);
});

test('an alias that nothing is behind, or by the wrong method, is refused as the interface refuses it', async () => {
  const world = await serviceWorld();
  const unknown = await world.call('/v1/task_statsu');
  expect([unknown.status, (await problemOf(unknown)).code]).toEqual([404, 'unknown_endpoint']);
  const action = await world.call('/api/make_key');
  expect((await problemOf(action)).code).toBe('unknown_action');
  const wrong = await world.call('/v1/image_generation');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
});

test('an alias is the same address with the same query, and what is no alias stays as it is', () => {
  const operations = Object.values(OPERATIONS).map(({ path, selector }) => ({
    path,
    operation: `${new URLSearchParams(selector)}`,
  }));
  fc.assert(
    fc.property(fc.constantFrom(...operations), fc.webQueryParameters(), ({ path, operation }, query) => {
      const more = query === '' ? '' : `&${query}`;
      expect(withoutAlias({ url: `${aliasOf(operation)}?${query}` })).toBe(`${path}?${operation}${more}`);
      const own = `${path}?${operation}&${query}`;
      expect(withoutAlias({ url: own })).toBe(own);
    }),
  );
  for (const url of ['/', '/openapi.json', '/v1', '/v1/', '/v1/a/b', '/v1/index.php', '/api.php', '*'])
    expect(withoutAlias({ url })).toBe(url);
});
