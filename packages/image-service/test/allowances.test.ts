import { openSqlite, sqlitePath } from '@darkroom/storage';
import { DAY_MS, HOUR_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import type { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { createAllowances } from '../src/ledger/allowances.ts';
import { createLedger, spend } from '../src/ledger/ledger.ts';
import { checkLedger } from '../src/ledger/ledger-check.ts';
import { findBeyondCap } from '../src/ledger/ledger-queries.ts';
import { operator } from './support/operator.ts';
import { serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** A ledger of one account at the beginning of an hour, as two processes see it. */
async function allowanceWorld() {
  const { databaseUrl } = await testStorage();
  let now = Date.UTC(2030, 0, 1);
  const clock = { now: () => now, sleep: async () => {} };
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const db = await openDatabase(databaseUrl);
      onTestFinished(() => db.destroy());
      return { db, allowances: createAllowances({ db, clock }) };
    }),
  );
  const [{ db, allowances }] = processes as [(typeof processes)[0]];
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ username: 'mira', createdAt: now, disabledAt: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ledger = createLedger({ db, clock });
  return {
    db,
    accountId,
    allowances,
    ledger,
    balance: () => ledger.balance(accountId),
    /** Takes back what is left of every grant, as if it had been spent. */
    async spend(): Promise<void> {
      for (const { id } of await ledger.grants(accountId)) await ledger.revoke(accountId, id);
    },
    pass: (ms: number) => {
      now += ms;
    },
    /** Both processes look for what is due, at once. */
    give: () => Promise.all(processes.map((each) => each.allowances.give())),
  };
}

test('an allowance is not given twice for a period where the clock is set back', async () => {
  const { db, accountId, allowances, balance, pass, give } = await allowanceWorld();
  await allowances.add({ accountId, amount: 2_000, cap: 5_000, every: 'hour', note: 'free' });
  const times = [HOUR_MS, -HOUR_MS].map((ms) => Date.UTC(2030, 0, 1) + ms);
  const clock = { now: () => times.shift() ?? 0, sleep: async () => {} };
  await createAllowances({ db, clock }).give();
  await give();
  expect(await balance()).toBe(2_000);
  pass(HOUR_MS);
  await give();
  expect(await balance()).toBe(4_000);
});

test('an hourly allowance is given now and with every hour, once, by however many processes', async () => {
  const { db, accountId, allowances, balance, pass, give } = await allowanceWorld();
  await allowances.add({ accountId, amount: 2_000, cap: 5_000, every: 'hour', note: 'free' });
  const seen = [await balance()];
  for (let half = 1; half <= 6; half++) {
    pass(HOUR_MS / 2);
    await give();
    seen.push(await balance());
  }
  expect(seen).toEqual([2_000, 2_000, 4_000, 4_000, 5_000, 5_000, 5_000]);
  expect(await checkLedger(db)).toEqual([]);
});

test('a service that stops gives no more than the allowance that it is at', async () => {
  const { db, accountId, allowances, balance, pass, give } = await allowanceWorld();
  for (const note of ['one', 'another'])
    await allowances.add({ accountId, amount: 1_000, cap: 2_000, every: 'hour', note });
  pass(HOUR_MS);
  const stopping = new AbortController();
  let looks = 0;
  const now = () => {
    // The first is for what is due, each other for an allowance.
    if (++looks === 2) stopping.abort();
    return Date.UTC(2030, 0, 1) + HOUR_MS;
  };
  await createAllowances({ db, clock: { now, sleep: async () => {} } }).give(stopping.signal);
  expect(await balance()).toBe(3_000);
  await give();
  expect(await balance()).toBe(4_000);
});

test('hours in which nobody looked are made up for, up to the cap', async () => {
  const { accountId, allowances, balance, spend, pass, give } = await allowanceWorld();
  await allowances.add({ accountId, amount: 1_000, cap: 3_000, every: 'hour', note: '' });
  await spend();
  pass(2 * HOUR_MS);
  await give();
  expect(await balance()).toBe(2_000);
  await spend();
  pass(100 * HOUR_MS);
  await give();
  expect(await balance()).toBe(3_000);
});

test('what a task that waited over the end of a period gives back does not exceed the cap', async () => {
  const { db, accountId, ledger, allowances, balance, pass, give } = await allowanceWorld();
  await allowances.add({ accountId, amount: 1_000, cap: 1_000, every: 'day', note: '' });
  for (const charged of [0, 400, 1_000]) {
    const taskId = `costs ${charged}`;
    await db.transaction().execute(async (trx) => {
      const grants = (await ledger.spendable(trx, [accountId])).get(accountId) ?? [];
      await ledger.reserve(trx, [{ accountId, taskId, shares: spend(grants, 1_000) }]);
    });
    pass(DAY_MS);
    await give();
    expect(await balance()).toBe(1_000);
    await db.transaction().execute((trx) => ledger.settle(trx, taskId, charged));
    expect(await balance()).toBe(1_000);
  }
  expect(await checkLedger(db)).toEqual([]);
});

test('what an allowance gives is spent before credits that stay, as what is not spent of it lapses', async () => {
  const { db, accountId, ledger, allowances, balance, pass, give } = await allowanceWorld();
  await ledger.grant({ accountId, amount: 100_000 });
  await allowances.add({ accountId, amount: 10_000, cap: 10_000, every: 'day', note: 'free' });
  for (const day of [1, 2, 3]) {
    await db.transaction().execute(async (trx) => {
      const grants = (await ledger.spendable(trx, [accountId])).get(accountId) ?? [];
      const taskId = `day ${day}`;
      await ledger.reserve(trx, [{ accountId, taskId, shares: spend(grants, 10_000) }]);
      await ledger.settle(trx, taskId, 10_000);
    });
    expect(await balance()).toBe(100_000);
    pass(DAY_MS);
    await give();
  }
  expect((await ledger.grants(accountId))[0]).toMatchObject({ remaining: 100_000 });
  expect(await balance()).toBe(110_000);
  expect(await checkLedger(db)).toEqual([]);
});

test('an allowance that its account has ended gives no more, and what it gave stays', async () => {
  const { accountId, allowances, balance, pass, give } = await allowanceWorld();
  const id = await allowances.add({ accountId, amount: 1_000, cap: 9_000, every: 'day', note: '' });
  pass(DAY_MS);
  await give();
  const ended = [];
  for (const of of [accountId + 1, accountId, accountId]) ended.push(await allowances.end(of, id));
  expect(ended).toEqual([false, true, false]);
  pass(DAY_MS);
  await give();
  expect(await balance()).toBe(2_000);
  expect(await allowances.list(accountId)).toEqual([]);
});

test('what is left of an allowance is found by an index, however many of its grants are spent', async () => {
  const { databaseUrl } = await testStorage();
  const path = sqlitePath(databaseUrl);
  if (path === undefined) return;
  const db = await openDatabase(databaseUrl);
  let asked = '';
  const recorded = new Proxy(db, {
    get(_, name) {
      const member: unknown = Reflect.get(db, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'executeQuery') asked = (given[0] as CompiledQuery).sql;
        return member.apply(db, given);
      };
    },
  });
  await findBeyondCap(recorded, { grantId: 1 });
  await db.destroy();
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  const plan = JSON.stringify(sqlite.prepare(`explain query plan ${asked}`).all(1));
  sqlite.close();
  expect(plan).toContain('spendableOfAllowance');
  expect(plan).not.toContain('SCAN');
});

test('whenever processes look and whatever is spent, no hour gives twice, and never more than the cap is left', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 200 }), spent: fc.boolean() }), {
        maxLength: 8,
      }),
      async (steps) => {
        const { db, accountId, allowances, balance, spend, pass, give } = await allowanceWorld();
        await allowances.add({ accountId, amount: 1_000, cap: 2_500, every: 'hour', note: '' });
        let [left, minutes] = [1_000, 0];
        for (const step of steps) {
          if (step.spent) {
            await spend();
            left = 0;
          }
          const hours = Math.floor((minutes + step.minutes) / 60) - Math.floor(minutes / 60);
          minutes += step.minutes;
          pass(step.minutes * 60_000);
          await give();
          left = Math.min(2_500, left + hours * 1_000);
          expect(await balance()).toBe(left);
        }
        expect(await checkLedger(db)).toEqual([]);
      },
    ),
    { numRuns: 10 },
  );
});

test('a running service gives allowances by itself', async () => {
  const { storage, run } = await operator();
  const clock = createFastClock({ factor: 1 });
  const world = await serviceWorld({ storage, clock, credits: 0 });
  await run('allowance', 'add', world.username, '1', '--every', 'hour', '--up-to', '2');
  expect(await world.balance()).toBe(1);
  clock.advance(HOUR_MS);
  await expect.poll(() => world.balance()).toBe(2);
  const listed = JSON.parse(await run('allowance', 'list', world.username, '--json'));
  expect(listed).toMatchObject([{ id: 1, credits: 1, every: 'hour', 'up to': 2 }]);
  await run('allowance', 'end', world.username, '1');
  await expect(run('allowance', 'end', world.username, '1')).rejects.toThrow('has no allowance 1');
  await expect(run('allowance', 'add', world.username, '3', '--up-to', '2')).rejects.toThrow(/at least/);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});
