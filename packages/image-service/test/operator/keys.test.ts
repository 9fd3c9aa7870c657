import { expect, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

test('the limits of a key are shown as they are listed', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const limited = await run('--json', 'key', 'limit', world.username, world.key.slice(-4), '--running', '3');
  expect(JSON.parse(limited)).toMatchObject([{ running: 3, waiting: null, 'per minute': null }]);
  expect(await run('--json', 'key', 'list', world.username)).toBe(limited);
});

test('a key is found by its end in large letters, too', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const tail = world.key.slice(-4).toUpperCase();
  await run('key', 'limit', world.username, tail, '--waiting', '7');
  const revoked = await run('--json', 'key', 'revoke', world.username, tail);
  expect(JSON.parse(revoked)).toMatchObject([{ revoked: 1 }]);
});
