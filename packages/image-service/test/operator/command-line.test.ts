import { OperatorError, ownCommand } from '@darkroom/process';
import { DAY_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { credits } from '../../src/operator/arguments.ts';
import { controlledEngine } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

test('a new account gets a login token that makes keys, and its credits', async () => {
  const { storage, run } = await operator();
  const printed = await run('account', 'add', 'mira', '--create', '--credits', '2.5');
  // A token of another database is refused.
  expect(printed).toMatch(/valid in[\s\S]+(?:\.sqlite|\/darkroom_test_)/);
  const token = /lt-[0-9a-f]{48}/.exec(printed)?.[0];
  const world = await serviceWorld({ storage });
  const answer = await world.call('/api.php?action=generate_api_key', { json: { token }, headers: {} });
  const { data }: { data: { api_key: string } } = JSON.parse(await answer.text());
  expect(await world.balance(data.api_key)).toBe(2.5);
});

test('a name that is taken is said to be', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  await expect(run('account', 'add', 'mira', '--create')).rejects.toThrow(
    'There is already an account named mira.',
  );
});

test('an account whose credits cannot be written down is not there either', async () => {
  const { storage, run } = await operator();
  await run('account', 'add', 'otto', '--create');
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  await db.schema.alterTable('entries').renameTo('elsewhere').execute();
  await expect(run('account', 'add', 'mira', '--credits', '2')).rejects.toThrow(/entries/);
  await db.schema.alterTable('elsewhere').renameTo('entries').execute();
  expect(await run('account', 'add', 'mira', '--credits', '2')).toMatch(/mira +2 /);
});

test('an account has a name that can be seen', async () => {
  const { run } = await operator();
  for (const name of ['', '  ', 'mi\nra']) {
    await expect(run('account', 'add', name, '--create')).rejects.toThrow(/expected a name/);
  }
  expect(await run('account', 'add', ' mira ', '--create')).toMatch(/\bmira\b/);
});

test('what is not understood is answered with how to use it', async () => {
  const { run } = await operator();
  await expect(run('dance')).rejects.toThrow(/Usage/);
  await expect(run('account')).rejects.toThrow(/Usage/);
  const adding = run('account', 'add', 'mira', '--create', '--credits', 'many');
  await expect(adding).rejects.toThrow(
    /expected a number of credits.*\n+Usage: .* account add \[options\] <name>/s,
  );
  await expect(run('account', 'add', 'mira', '--create', '--colour', 'red')).rejects.toThrow(/Usage/);
});

test('commands answer in tables for people and in JSON for programs', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create', '--credits', '2.5');
  await run('account', 'add', 'otto');
  expect(await run('account', 'list')).toMatch(/id +account +credits .*\n +1 +mira +2\.5 .*\n +2 +otto +0 /);
  expect(JSON.parse(await run('--json', 'account', 'list'))).toMatchObject([
    { id: 1, account: 'mira', credits: 2.5, disabled: null },
    { id: 2, account: 'otto', credits: 0, disabled: null },
  ]);
});

test('a list with nothing on it says so, and what puts something there', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  const next = (args: string) => ownCommand('service', args);
  expect(await run('grant', 'list', 'mira')).toContain(`${next('grant add mira 10')} gives some.`);
  expect(await run('ledger', 'list', 'mira')).toContain(`${next('grant add mira 10')} gives some.`);
  expect(await run('ledger', 'list', 'mira', '--task', 'x')).toContain(next('task list mira'));
  expect(await run('allowance', 'list', 'mira')).toContain(next('allowance add mira 10'));
  expect(await run('key', 'list', 'mira')).toContain(`${next('token add mira')} prints one.`);
  expect(await run('task', 'list', 'mira')).toBe('mira has had nothing drawn.\n');
  expect(await run('task', 'list', 'mira', '--state', 'failed')).toBe('mira has no task that is failed.\n');
  expect(await run('webhook', 'list', 'mira')).toBe('mira has submitted no task with a webhook.\n');
  await run('token', 'revoke', 'mira');
  expect(await run('token', 'list', 'mira')).toContain(`${next('token add mira')} prints one.`);
  await run('account', 'delete', 'mira', '--yes');
  expect(await run('account', 'list')).toBe(
    `There are no accounts yet. ${next('account add NAME --credits 100')} makes one.\n`,
  );
  expect(await run('--json', 'account', 'list')).toBe('[]\n');
});

test('grants are added for good or until the end of a day, and listed', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  await run('grant', 'add', 'mira', '10', '--note', 'thanks');
  await run('grant', 'add', 'mira', '0.125', '--until', '2999-12-31');
  expect(JSON.parse(await run('--json', 'grant', 'list', 'mira'))).toMatchObject([
    { left: 10, until: null, note: 'thanks' },
    { left: 0.125, until: '2999-12-31T23:59:59.999Z' },
  ]);
  for (const wrong of [
    ['0'],
    ['0.0001'],
    ['much'],
    ['1', '--until', 'tomorrow'],
    ['1', '--until', '2999-02-31'],
    ['1', '--until', '2020-01-01'],
  ]) {
    const adding = run('grant', 'add', 'mira', ...wrong);
    await expect(adding).rejects.toThrow(OperatorError);
    await expect(adding).rejects.toThrow(/expected/);
  }
});

test('whatever has three decimals is an amount of credits, however a computer multiplies it', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create', '--credits', '2.01');
  await run('grant', 'add', 'mira', '1.001');
  expect(JSON.parse(await run('--json', 'account', 'list'))).toMatchObject([{ credits: 3.011 }]);
  for (let milli = 0; milli < 10_000; milli++) expect(credits(String(milli / 1_000))).toBe(milli);
});

test('more credits than anybody can be given are refused with how many that is', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  await expect(run('grant', 'add', 'mira', '9000000000.001')).rejects.toThrow(
    'expected at most 9000000000 credits',
  );
  await run('grant', 'add', 'mira', '9000000000');
});

test('what is no id of an allowance is refused with where its id is shown', async () => {
  const { run } = await operator();
  await run('account', 'add', 'mira', '--create');
  await expect(run('allowance', 'end', 'mira', 'daily')).rejects.toThrow(
    'expected the id of an allowance, which allowance list shows',
  );
});

test('a running service knows of a disabled account with its next request, until it is enabled again', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const path = '/api.php?action=generate_api_key';
  const generate = async () =>
    (await world.call(path, { json: { token: world.loginToken }, headers: {} })).status;
  const ask = async () => (await world.status('any')).status;
  expect([await generate(), await ask()]).toEqual([200, 404]);
  await run('account', 'disable', world.username);
  expect([await generate(), await ask()]).toEqual([401, 401]);
  await run('account', 'enable', world.username);
  expect([await generate(), await ask()]).toEqual([200, 404]);
});

test('what a disabled account has waiting is drawn only once it is enabled again', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine, limits: { slots: 1 } });
  const other = await world.addAccount();
  await world.submitted({ prompt: 'begun' });
  const begun = await engine.next();
  await world.submitted({ prompt: 'mine' });
  await world.submitted({ prompt: 'theirs' }, other.key);
  await run('account', 'disable', world.username);
  await begun.finish();
  const second = await engine.next();
  expect(second.requested.prompt).toBe('theirs');
  await run('account', 'enable', world.username);
  await second.finish();
  expect((await engine.next()).requested.prompt).toBe('mine');
});

test('a running service knows of a limited or revoked key with its next request', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const tail = world.key.slice(-4);
  const submit = async () => (await world.submit({ prompt: 'a fox' })).status;
  expect(await submit()).toBe(200);
  await run('key', 'limit', world.username, tail, '--per-minute', '1');
  expect([await submit(), await submit()]).toEqual([200, 429]);
  await run('key', 'limit', world.username, tail, '--per-minute', 'none');
  expect(await submit()).toBe(200);
  await run('key', 'revoke', world.username, tail);
  expect(await submit()).toBe(401);
});

test('login tokens are added and ended, and those of another account stay', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const other = await world.addAccount();
  const token = /lt-[0-9a-f]{48}/.exec(await run('token', 'add', world.username))?.[0];
  const read = (by?: string) => world.call(`/api.php?action=get_api_key&token=${by}`, { headers: {} });
  expect((await read(token)).status).toBe(200);
  expect(JSON.parse(await run('token', 'revoke', world.username, '--json'))).toMatchObject([{ revoked: 2 }]);
  expect((await read(token)).status).toBe(401);
  expect((await read(world.loginToken)).status).toBe(401);
  expect((await read(other.loginToken)).status).toBe(200);
});

test('a login token is rotated: a new one counts in place of all others, and keys stay', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const token = /lt-[0-9a-f]{48}/.exec(
    await run('token', 'rotate', world.username, '--until', '2999-12-31'),
  )?.[0];
  const read = (by?: string) => world.call(`/api.php?action=get_api_key&token=${by}`, { headers: {} });
  expect([(await read(world.loginToken)).status, (await read(token)).status]).toEqual([401, 200]);
  expect(await world.balance()).toBe(100);
  expect(JSON.parse(await run('token', 'list', world.username, '--json'))).toMatchObject([
    { until: '2999-12-31T23:59:59.999Z' },
  ]);
});

test('a login token counts for 90 days, until a day, or for ever', async () => {
  const { storage, run } = await operator();
  await run('account', 'add', 'mira', '--create');
  await run('token', 'add', 'mira', '--until', '2999-12-31');
  await run('token', 'add', 'mira', '--until', 'never');
  const ends = JSON.parse(await run('token', 'list', 'mira', '--json')).map(
    ({ until }: { until: string }) => until,
  );
  expect(ends).toEqual([expect.any(String), '2999-12-31T23:59:59.999Z', null]);
  expect((Date.parse(ends[0]) - Date.now()) / DAY_MS).toBeCloseTo(90, 1);
  let ahead = 0;
  const world = await serviceWorld({ storage, clock: { ...systemClock, now: () => Date.now() + ahead } });
  const make = () =>
    world.call('/api.php?action=generate_api_key', { json: { token: world.loginToken }, headers: {} });
  expect((await make()).status).toBe(200);
  ahead = 91 * DAY_MS;
  expect((await make()).status).toBe(401);
  expect(await world.balance()).toBe(100);
});

test('keys are listed by their tails, given limits and revoked', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const tail = world.key.slice(-4);
  await run('key', 'limit', world.username, tail, '--running', '3', '--per-minute', '7');
  const [key] = JSON.parse(await run('--json', 'key', 'list', world.username));
  expect(key).toMatchObject({
    key: `sk-…${tail}`,
    revoked: null,
    running: 3,
    waiting: null,
    'per minute': 7,
  });
  await run('key', 'limit', world.username, tail, '--running', 'none');
  expect(await run('key', 'list', world.username)).not.toContain(world.key);
  await expect(run('key', 'limit', world.username, 'none', '--running', '3')).rejects.toThrow(
    /no active key/,
  );
  expect(JSON.parse(await run('--json', 'key', 'revoke', world.username, tail))).toMatchObject([
    { revoked: 1 },
  ]);
  await expect(run('key', 'revoke', world.username, tail)).rejects.toThrow(/no active key/);
});

test('who is not there is said not to be', async () => {
  const { run } = await operator();
  await run('account', 'add', 'somebody', '--create');
  await expect(run('grant', 'list', 'nobody')).rejects.toThrow('There is no account named nobody.');
});
