import { systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { openDatabase } from '../../src/database/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { rowsRead } from '../support/rows-read.ts';
import { testStorage, usePostgres } from '../support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;
const ROWS = 5_000;

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
});
