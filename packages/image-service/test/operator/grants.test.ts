import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { controlledEngine } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

test('what is left of a mistyped grant is taken back, and what was spent of it stays spent', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage, credits: 0 });
  await run('grant', 'add', world.username, '3');
  await run('grant', 'add', world.username, '1000', '--until', '2999-12-31');
  await world.until(await world.submitted({ prompt: 'a fox' }));
  const revoked = await run('--json', 'grant', 'revoke', world.username, '2');
  expect(JSON.parse(revoked)).toEqual([{ account: world.username, grant: 2, 'taken back': 999, credits: 3 }]);
  expect(await world.balance()).toBe(3);
  const again = await run('--json', 'grant', 'revoke', world.username, '2');
  expect(JSON.parse(again)).toMatchObject([{ 'taken back': 0, credits: 3 }]);
  expect(JSON.parse(await run('grant', 'list', world.username, '--json'))).toMatchObject([
    { id: 1, left: 3 },
    { id: 2, left: 0 },
  ]);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});

test('what a task gives back of a grant that was taken back is not given to anybody', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, credits: 10, engine });
  await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  const revoked = await run('--json', 'grant', 'revoke', world.username, '1');
  expect(JSON.parse(revoked)).toMatchObject([{ 'taken back': 9 }]);
  drawing.fail(new Error('the brush broke'));
  await expect.poll(async () => (await world.service.ledger.grants(world.id))[0]?.remaining).toBe(1_000);
  expect(await world.balance()).toBe(0);
  await world.service.sweep();
  expect((await world.service.ledger.grants(world.id))[0]?.remaining).toBe(0);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});

test('only a grant of the account is taken back', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create', '--credits', '2');
  await run('account', 'add', 'otto');
  const revoking = run('grant', 'revoke', 'otto', '1');
  await expect(revoking).rejects.toThrow(/otto has no grant 1\. See: .+ grant list otto/);
  await expect(run('grant', 'revoke', 'otto', '3000000000')).rejects.toThrow('has no grant 3000000000.');
  await expect(run('grant', 'revoke', 'otto', 'all')).rejects.toThrow(/expected the id of a grant/);
  expect(await run('account', 'list')).toMatch(/mira +2 /);
});

test('a grant that is repeated with the same id is given once, also by two operators at the same time', async () => {
  const { run } = await operator();
  for (const name of ['mira', 'otto']) await run('account', 'add', name, '--create');
  const add = async (name: string, id: string) =>
    JSON.parse(await run('grant', 'add', name, '2', '--once', id, '--json'))[0];
  const both = await Promise.all([add('mira', 'invoice-7'), add('mira', 'invoice-7')]);
  expect(both.map(({ given }) => given).sort()).toEqual([0, 2]);
  expect(await add('mira', 'invoice-7')).toMatchObject({ given: 0, credits: 2 });
  expect(await add('mira', 'invoice-8')).toMatchObject({ given: 2, credits: 4 });
  expect(await add('otto', 'invoice-7')).toMatchObject({ given: 2, credits: 2 });
  await expect(add('otto', 'two words')).rejects.toThrow(/expected 1 to 100 characters/);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});

test('a grant that is repeated with the same id must be the same one', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  const add = (...rest: string[]) => run('grant', 'add', 'mira', ...rest, '--json');
  await add('2', '--once', 'invoice-7');
  await expect(add('3', '--once', 'invoice-7')).rejects.toThrow(
    /^mira was given 2 credits for good with the id invoice-7 on \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\), and not 3 credits for good\. Nothing was given: /,
  );
  await expect(add('2', '--once', 'invoice-7', '--until', '2999-12-31')).rejects.toThrow(
    /and not 2 credits until 2999-12-31 23:59/,
  );
  for (const time of ['1h', '2h', '1h']) await add('4', '--for', time, '--once', `for-${time}`);
  await expect(add('4', '--for', '2h', '--once', 'for-1h')).rejects.toThrow(/and not 4 credits until/);
  await add('5', '--until', '2999-12-31', '--once', 'invoice-8');
  expect(JSON.parse(await add('5', '--until', '2999-12-31', '--once', 'invoice-8'))).toMatchObject([
    { given: 0, credits: 15 },
  ]);
  await run('grant', 'revoke', 'mira', '1');
  expect(JSON.parse(await add('2', '--once', 'invoice-7'))).toMatchObject([{ given: 0, credits: 13 }]);
});

test('a grant for an hour is gone after it', async () => {
  const { storage, run } = await operator();
  const clock = createFastClock({ factor: 1 });
  const world = await serviceWorld({ storage, clock, credits: 0 });
  await run('grant', 'add', world.username, '2', '--for', '1h');
  expect(await world.balance()).toBe(2);
  clock.advance(61 * 60_000);
  expect(await world.balance()).toBe(0);
  for (const wrong of ['1', '0h', '1w', 'soon', '999999h'])
    await expect(run('grant', 'add', world.username, '2', '--for', wrong)).rejects.toThrow(/expected a time/);
  await expect(
    run('grant', 'add', world.username, '2', '--for', '1h', '--until', '2999-12-31'),
  ).rejects.toThrow(/cannot be used with/);
});
