import { createVault } from '@darkroom/storage';
import { DAY_MS, systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { openDatabase, type ServiceDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createWebhookQueue } from '../../src/webhooks/webhook-queue.ts';
import { rowsRead } from '../support/rows-read.ts';
import { testStorage, usePostgres } from '../support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;
/** So many that PostgreSQL takes an index. */
const ROWS = 50_000;

async function databaseOfAda() {
  const db = await openDatabase((await testStorage()).databaseUrl);
  onTestFinished(() => db.destroy());
  const { id } = await createAccounts({ db, clock: systemClock }).add('ada', { amount: 1_000 });
  return { db, id };
}

describe.skipIf(url === undefined)('on PostgreSQL (TEST_POSTGRES_URL)', () => {
  if (url !== undefined) usePostgres(url);

  test('the latest entries of a ledger are listed without reading those before', async () => {
    const { db, id } = await databaseOfAda();
    await sql`insert into entries ("accountId", "grantId", "taskId", kind, amount, "createdAt")
      select ${id}::int, "grantId", 'task ' || at, 'capture', 0, 1 from entries, generate_series(1, ${ROWS}::int) at`.execute(
      db,
    );
    await sql`analyze entries, grants`.execute(db);
    const listed = await rowsRead(db, (db) =>
      createLedger({ db, clock: systemClock }).entries(id, { limit: 50 }),
    );
    expect(listed).toBeLessThan(200);
    const ofTask = await rowsRead(db, (db) =>
      createLedger({ db, clock: systemClock }).entriesOfTask(id, 'task 7', { limit: 50 }),
    );
    expect(ofTask).toBe(1);
  });

  const queueOn = (db: ServiceDatabase) =>
    createWebhookQueue({
      db,
      vault: createVault(['5'.repeat(64)]),
      clock: systemClock,
      limits: SERVICE_LIMITS,
    });
  const lookPast =
    (...receivers: string[]) =>
    (db: ServiceDatabase) =>
      queueOn(db).due({ accounts: [], receivers });

  test('a receiver that hangs is looked past without reading what is due to it', async () => {
    const { db, id } = await databaseOfAda();
    await sql`insert into webhooks ("taskId", "accountId", "sealedUrl", receiver, "dueAt", attempts, status)
      select 'task ' || at, ${id}::int, '', 'hangs', at, 0, '' from generate_series(1, ${ROWS}::int) at
      union all values ('other', ${id}::int, '', 'answers', ${ROWS}::int + 1, 0, ''), ('later', ${id}::int, '', 'failed', 4102444800000, 0, '')`.execute(
      db,
    );
    await sql`analyze webhooks`.execute(db);
    expect((await lookPast()(db)).map(({ taskId }) => taskId)).toEqual(['task 1', 'other']);
    expect((await lookPast('hangs')(db)).map(({ taskId }) => taskId)).toEqual(['other']);
    expect(await rowsRead(db, lookPast('hangs'))).toBeLessThan(20);
  });

  test('webhooks of one account to ever new origins that wait for another attempt take few rows of a look', async () => {
    const { db, id } = await databaseOfAda();
    const origins = Array.from({ length: 10_000 }, (_, at) => new URL(`https://${at}.example.org`));
    for (let from = 0; from < origins.length; from += 500)
      await db.transaction().execute((trx) =>
        queueOn(db).add(
          trx,
          origins
            .slice(from, from + 500)
            .map((url, at) => ({ taskId: `task ${from + at}`, accountId: id, url })),
        ),
      );
    await db
      .updateTable('webhooks')
      .set({ dueAt: Date.now() + DAY_MS })
      .execute();
    await sql`analyze webhooks`.execute(db);
    expect(await rowsRead(db, lookPast())).toBeLessThan(20);
    await db.updateTable('webhooks').set({ dueAt: 1 }).where('taskId', '=', 'task 7000').execute();
    expect((await lookPast()(db)).map(({ taskId }) => taskId)).toEqual(['task 7000']);
    const receivers = await db.selectFrom('webhooks').select('receiver').distinct().execute();
    expect(receivers.length).toBeLessThanOrEqual(256);
  });
});
