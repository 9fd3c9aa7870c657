import { until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { copyFixture, fixtureFile, secrets } from './fixture.ts';
import { clockAfter, MINUTE, operator, startService } from './service.ts';

const { accounts, direct } = secrets;
const { ada, bea, club, dana } = accounts;
const ADA = `${ada.keys.linked}`;
const CLUB = `${club.keys.linked}`;

/** The present service on a copy of what 0.1.0 left. Closes with the test; the ledger must add up by then. */
async function oldService(clock = clockAfter(MINUTE)) {
  const folder = await copyFixture();
  const service = await startService(folder, { clock });
  onTestFinished(async () => {
    await service.close();
    expect(await operator(folder, 'ledger', 'check')).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining('every entry matches'),
    });
  });
  return { folder, ...service };
}

test('keys and login tokens keep working, with their credits', async () => {
  const { balance, call } = await oldService();
  expect(await balance(ADA)).toMatchObject({ credits: ada.credits });
  expect(await balance(`${ada.keys.direct}`)).toMatchObject({ credits: ada.credits });
  expect(await balance(`${bea.keys.linked}`)).toMatchObject({ credits: 0 });
  expect(await balance(CLUB)).toMatchObject({ credits: club.credits });
  expect(await balance(`${accounts.operator.keys.operator}`)).toMatchObject({
    credits: accounts.operator.credits,
  });
  expect(await balance(`${ada.keys.revoked}`)).toMatchObject({ status: 401 });
  expect(await balance(`${dana.keys.locked}`)).toMatchObject({ status: 401 });

  const getKey = (token: string) => call('/api.php?action=get_api_key', { body: { token } });
  expect((await getKey(ada.loginToken)).body.data.api_key).toBe(ada.keys.direct);
  expect((await getKey(dana.loginToken)).status).toBe(401);
});

test('tasks that ended are as they were, with their pictures', async () => {
  const { task, url } = await oldService();
  for (const name of ['completed', 'rr3', 'graph'] as const) {
    const { taskId, picture } = direct[name];
    const answer = await task(direct[name]);
    expect(answer).toMatchObject({
      id: taskId,
      status: 'completed',
      cost: 1,
      result: { image_url: `${url}/files/${picture}` },
    });
    const made = Buffer.from(await (await fetch(answer.result.image_url)).arrayBuffer());
    expect(made.equals(await fixtureFile('pictures', `${picture}`))).toBe(true);
  }
  expect(await task({ ...direct.failed, key: ADA })).toMatchObject({
    status: 'failed',
    error: 'the brush broke',
    error_code: 'drawing_failed',
    cost: 0,
  });
  expect(await task({ ...direct.cancelled, key: ADA })).toMatchObject({
    status: 'failed',
    error_code: 'cancelled',
    cost: 0,
  });
});

test('a submission sent again is answered as 0.1.0 answered it', async () => {
  const { submit } = await oldService();
  for (const name of ['completed', 'rr3', 'graph', 'failed', 'pending'] as const) {
    const { key, submission, idempotencyKey, answer } = direct[name];
    expect((await submit(submission, key, idempotencyKey)).body.data).toEqual(answer);
  }
  const { key, idempotencyKey } = direct.completed;
  const other = await submit({ prompt: 'other' }, key, idempotencyKey);
  expect(other.body.error.code).toBe('idempotency_conflict');
});

test('tasks that were cut off are drawn, and new ones after them', async () => {
  const { task, submit, balance } = await oldService();
  for (const name of ['processing', 'pending'] as const)
    await until(async () => (await task(direct[name])).status === 'completed', `the end of ${name}`);
  expect(await balance(ADA)).toMatchObject({ credits: ada.credits });

  const { body } = await submit({ prompt: 'new', width: 64, height: 64 }, CLUB);
  await until(
    async () => (await task({ taskId: body.data.id, key: CLUB })).status === 'completed',
    'the end of a new task',
  );
});

test('the operator sees accounts, grants and keys', async () => {
  const { folder } = await oldService();
  const listed = async (...args: string[]) => JSON.parse((await operator(folder, '--json', ...args)).printed);
  const grants = async (account: string) =>
    (await listed('grant', 'list', account)).map(({ left, note }: { left: number; note: string }) => [
      left,
      note,
    ]);

  const all = await listed('account', 'list');
  expect(all.map(({ account, credits }: { account: string; credits: number }) => [account, credits])).toEqual(
    Object.entries(accounts).map(([name, { credits }]) => [name, credits]),
  );
  expect(await grants('ada')).toEqual([
    [100, 'to start with'],
    [10, 'for a while'],
    [0, 'for a minute'],
  ]);
  expect(await grants('bea')).toEqual([
    [0, 'to start with'],
    [0, 'by mistake'],
  ]);
  const keys = await listed('key', 'list', 'ada');
  expect(keys.map(({ revoked }: { revoked: string | null }) => revoked !== null)).toEqual([
    true,
    false,
    false,
  ]);
  expect(await listed('key', 'list', 'club')).toMatchObject([
    { running: 1, waiting: null, 'per minute': null },
  ]);
});

test('a day later, what still waited has failed and is paid back', async () => {
  const { task, balance } = await oldService(clockAfter(24 * 60 * MINUTE));
  for (const name of ['pending', 'processing'] as const)
    await until(async () => (await task(direct[name])).status === 'failed', `the failure of ${name}`);
  // One task of ada's and three of the club's were not done.
  expect(await balance(ADA)).toMatchObject({ credits: ada.credits + 1 });
  expect(await balance(CLUB)).toMatchObject({ credits: club.credits + 3 });
});

test('keys work however much later it is', async () => {
  const folder = await copyFixture();
  const service = await startService(folder, { clock: systemClock });
  onTestFinished(() => service.close());
  expect((await service.balance(ADA)).credits).toBeGreaterThan(0);
});
