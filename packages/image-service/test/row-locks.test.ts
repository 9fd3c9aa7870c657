import { WORKFLOWS } from '@darkroom/image-api';
import { startTcpProxy, WAITERS } from '@darkroom/testing';
import { MINUTE_MS, systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { proveWritable } from '../src/database/prove-writable.ts';
import { createExpenses } from '../src/ledger/expenses.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { createQueue } from '../src/tasks/queue.ts';
import { serviceWorld } from './support/service.ts';
import { testStorage, usePostgres } from './support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;

/** The row of a period is locked, as by an expense that adds to it. */
const lockRow = (period: string) => sql`select from expenses where period = ${period} for update`;

describe.skipIf(url === undefined)('on PostgreSQL (TEST_POSTGRES_URL)', () => {
  if (url !== undefined) usePostgres(url);

  test('an expense that is taken back waits for one that is written down, and keeps it from nothing', async () => {
    const db = await openDatabase((await testStorage()).databaseUrl);
    onTestFinished(() => db.destroy());
    const clock = { ...systemClock, now: () => Date.UTC(2030, 5, 30) };
    const takeBack = await createExpenses({ db, clock }).spend({ unit: 'money', amount: 0.9 });
    // So small a table is read as it is stored, once its size is known: from now on the day before the month.
    await sql`update expenses set amount = amount where period = '2030-06'`.execute(db);
    await sql`analyze expenses`.execute(db);

    let takenBack = Promise.resolve();
    await db.transaction().execute(async (spending) => {
      await lockRow('2030-06').execute(spending);
      takenBack = takeBack();
      takenBack.catch(() => undefined);
      await expect.poll(async () => (await sql.raw(WAITERS).execute(spending)).rows.length).toBe(1);
      await lockRow('2030-06-30').execute(spending);
    });
    await takenBack;
    const amounts = await db.selectFrom('expenses').select('amount').execute();
    expect(amounts).toEqual([{ amount: 0 }, { amount: 0 }]);
  });

  test('a process that is paused within its proof that the database takes writes keeps no other from its own', async () => {
    const { databaseUrl } = await testStorage();
    const proxy = await startTcpProxy(new URL(databaseUrl));
    const paused = await openDatabase(proxy.url);
    const other = await openDatabase(databaseUrl, { statementTimeoutMs: 10_000 });
    onTestFinished(async () => void (await Promise.all([paused.destroy(), other.destroy()])));
    const silent = proxy.silenceAfter('insert into');
    const lost = proveWritable(paused).catch(() => undefined);
    await silent;
    await proveWritable(other);
    proxy.refuse();
    await lost;
  });

  test('tasks of a lost process go back into the queue, however long somebody works on one of them', async () => {
    const storage = await testStorage();
    const world = await serviceWorld({ storage, limits: { slots: 0 } });
    const db = await openDatabase(storage.databaseUrl);
    onTestFinished(() => db.destroy());
    const clock = { ...systemClock, now: () => Date.now() + MINUTE_MS };
    const ledger = createLedger({ db, clock });
    const queue = createQueue({ db, ledger, workflows: WORKFLOWS, clock, limits: SERVICE_LIMITS });
    const [locked, free] = [
      await world.submitted({ prompt: 'a fox' }),
      await world.submitted({ prompt: 'an owl' }),
    ];
    await db.updateTable('tasks').set({ state: 'processing', leaseUntil: 0 }).execute();
    await db.transaction().execute(async (working) => {
      await sql`select from tasks where id = ${locked} for update`.execute(working);
      expect(await queue.recover([])).toBe(1);
    });
    const states = await db.selectFrom('tasks').select(['id', 'state']).execute();
    expect(states).toEqual(
      expect.arrayContaining([
        { id: locked, state: 'processing' },
        { id: free, state: 'pending' },
      ]),
    );
  });
});
