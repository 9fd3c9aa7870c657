import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../src/accounts/accounts.ts';
import { ApiError } from '../src/api-error.ts';
import { openDatabase } from '../src/database/database.ts';
import { createLedger, spend } from '../src/ledger/ledger.ts';
import { lockAccounts } from '../src/ledger/ledger-queries.ts';
import { testStorage } from './support/storage.ts';

const START = Date.UTC(2030, 0, 1);

async function ledgerWorld() {
  const { databaseUrl } = await testStorage();
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  const clock = { time: START, now: () => clock.time, sleep: () => Promise.reject(new Error('not here')) };
  const ledger = createLedger({ db, clock });
  const accounts = createAccounts({ db, clock });
  let names = 0;
  return {
    db,
    clock,
    ledger,
    account: async () => (await accounts.add(`account ${++names}`)).id,
    reserve: (accountId: number, taskId: string, amount: number) =>
      db.transaction().execute(async (trx) => {
        await lockAccounts(trx, [accountId]);
        const shares = spend((await ledger.spendable(trx, [accountId])).get(accountId) ?? [], amount);
        await ledger.reserve(trx, [{ accountId, taskId, shares }]);
      }),
    settle: (taskId: string, charged: number) =>
      db.transaction().execute((trx) => ledger.settle(trx, taskId, charged)),
    release: (taskId: string) => db.transaction().execute((trx) => ledger.settle(trx, taskId, 0)),
    entries: (accountId: number) =>
      db.selectFrom('entries').selectAll().where('accountId', '=', accountId).orderBy('id').execute(),
  };
}

test('credits that expire soonest are spent first, and permanent ones last', async () => {
  const { ledger, account, reserve, entries } = await ledgerWorld();
  const id = await account();
  await ledger.grant({ accountId: id, amount: 1_000 });
  await ledger.grant({ accountId: id, amount: 1_000, expiresAt: START + 20_000 });
  await ledger.grant({ accountId: id, amount: 1_000, expiresAt: START + 10_000 });
  await reserve(id, 'task', 2_500);
  const reserved = (await entries(id)).filter(({ kind }) => kind === 'reserve');
  expect(reserved.map(({ grantId, amount }) => [grantId, amount])).toEqual([
    [3, -1_000],
    [2, -1_000],
    [1, -500],
  ]);
});

test('expired credits are not counted, and are written off', async () => {
  const { ledger, account, clock, entries } = await ledgerWorld();
  const id = await account();
  await ledger.grant({ accountId: id, amount: 700 });
  await ledger.grant({ accountId: id, amount: 300, expiresAt: START + 1_000 });
  expect(await ledger.balance(id)).toBe(1_000);
  clock.time += 1_000;
  expect(await ledger.balance(id)).toBe(700);
  expect(await ledger.expire()).toBe(1);
  expect(await ledger.expire()).toBe(0);
  expect((await entries(id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(700);
});

test('a service that stops writes off no more than the grant that it is at', async () => {
  const { db, ledger, account, clock } = await ledgerWorld();
  const id = await account();
  for (const _ of [1, 2, 3]) await ledger.grant({ accountId: id, amount: 300, expiresAt: START + 1_000 });
  clock.time += 1_000;
  const stopping = new AbortController();
  let looks = 0;
  const now = () => {
    // The first is for what has expired, each other for a grant.
    if (++looks === 2) stopping.abort();
    return clock.time;
  };
  await createLedger({ db, clock: { ...clock, now } }).expire(stopping.signal);
  expect((await ledger.grants(id)).map(({ remaining }) => remaining).sort()).toEqual([0, 300, 300]);
});

test('what is released into a grant that has expired meanwhile lapses', async () => {
  const { ledger, account, clock, reserve, release } = await ledgerWorld();
  const id = await account();
  await ledger.grant({ accountId: id, amount: 500, expiresAt: START + 1_000 });
  await reserve(id, 'task', 500);
  clock.time += 2_000;
  await release('task');
  expect(await ledger.balance(id)).toBe(0);
  expect(await ledger.expire()).toBe(1);
});

test('a task is reserved and released once at most', async () => {
  const { ledger, account, reserve, release } = await ledgerWorld();
  const id = await account();
  await ledger.grant({ accountId: id, amount: 500 });
  await reserve(id, 'task', 100);
  await release('task');
  await expect(release('task')).rejects.toThrow(/unique/i);
  expect(await ledger.balance(id)).toBe(500);
});

const step = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    amount: fc.integer({ min: 1, max: 5_000 }),
    livesMs: fc.option(fc.integer({ min: 1, max: 5_000 })),
  }),
  fc.record({ do: fc.constant('reserve' as const), amount: fc.integer({ min: 1, max: 6_000 }) }),
  fc.record({
    do: fc.constant('settle' as const),
    which: fc.nat(),
    part: fc.constantFrom(0, 1 / 3, 1),
  }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ do: fc.constant('expire' as const) }),
  fc.record({ do: fc.constant('revoke' as const), which: fc.nat() }),
);

test('through any history the balance is the sum of the entries of unexpired grants, and each is listed with the sum up to it', async () => {
  const { db, clock, ledger, account, reserve, settle, entries } = await ledgerWorld();
  let tasks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (history) => {
      const accountId = await account();
      const open: { taskId: string; amount: number }[] = [];
      for (const event of history) {
        if (event.do === 'grant') {
          const expiresAt = event.livesMs === null ? undefined : clock.time + event.livesMs;
          await ledger.grant({ accountId, amount: event.amount, expiresAt });
        } else if (event.do === 'reserve') {
          const taskId = `task ${++tasks}`;
          const before = await ledger.balance(accountId);
          const refused = await reserve(accountId, taskId, event.amount).catch((error: unknown) => error);
          if (event.amount <= before) open.push({ taskId, amount: event.amount });
          else expect(refused).toBeInstanceOf(ApiError);
          expect(await ledger.balance(accountId)).toBe(before - (event.amount <= before ? event.amount : 0));
        } else if (event.do === 'pass') {
          clock.time += event.ms;
        } else if (event.do === 'expire') {
          await ledger.expire();
        } else if (event.do === 'revoke') {
          const given = await ledger.grants(accountId);
          const grant = given[event.which % Math.max(1, given.length)];
          if (grant) expect(await ledger.revoke(accountId, grant.id)).toBe(grant.remaining);
        } else {
          const [task] = open.splice(event.which % Math.max(1, open.length), 1);
          if (task) await settle(task.taskId, Math.floor(event.part * task.amount));
        }
        const balance = await ledger.balance(accountId);
        expect(balance).toBeGreaterThanOrEqual(0);
        const grants = await db.selectFrom('grants').selectAll().where('accountId', '=', accountId).execute();
        const all = await entries(accountId);
        const sumOf = (grantId: number) =>
          all.filter((entry) => entry.grantId === grantId).reduce((sum, { amount }) => sum + amount, 0);
        for (const { id, remaining } of grants) expect(remaining).toBe(sumOf(id));
        const alive = grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.time);
        expect(balance).toBe(alive.reduce((sum, { id }) => sum + sumOf(id), 0));
        const sumUpTo = (last: number) =>
          all.filter(({ id }) => id <= last).reduce((sum, { amount }) => sum + amount, 0);
        const listed = await ledger.entries(accountId, { limit: 3 });
        expect(listed.map(({ id, after }) => [id, after])).toEqual(
          all
            .slice(-3)
            .reverse()
            .map(({ id }) => [id, sumUpTo(id)]),
        );
      }
    }),
    { numRuns: 60 },
  );
});
