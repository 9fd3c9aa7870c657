import { createVault } from '@darkroom/storage';
import { systemClock } from '@darkroom/time';
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

  test('a receiver that hangs is looked past without reading what is due to it', async () => {
    const { db, id } = await databaseOfAda();
    await sql`insert into webhooks ("taskId", "accountId", "sealedUrl", receiver, "dueAt", attempts, status)
      select 'task ' || at, ${id}::int, '', 'hangs', at, 0, '' from generate_series(1, ${ROWS}::int) at
      union all values ('other', ${id}::int, '', 'answers', ${ROWS}::int + 1, 0, ''), ('later', ${id}::int, '', 'failed', 4102444800000, 0, '')`.execute(
      db,
    );
    await sql`analyze webhooks`.execute(db);
    const vault = createVault(['5'.repeat(64)]);
    const queueOn = (db: ServiceDatabase) =>
      createWebhookQueue({ db, vault, clock: systemClock, limits: SERVICE_LIMITS });
    const due = (busy: string[]) => queueOn(db).due({ accounts: [], receivers: busy });
    expect((await due([])).map(({ taskId }) => taskId)).toEqual(['task 1', 'other']);
    expect((await due(['hangs'])).map(({ taskId }) => taskId)).toEqual(['other']);
    const look = (db: ServiceDatabase) => queueOn(db).due({ accounts: [], receivers: ['hangs'] });
    expect(await rowsRead(db, look)).toBeLessThan(20);
  });
});
