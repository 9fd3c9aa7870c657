import { WAITERS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import type { Tables } from '../../src/database/tables.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { checkLedger } from '../../src/ledger/ledger-check.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage, usePostgres } from '../support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;
/** The last number that PostgreSQL's `integer` has. */
const LAST_INTEGER = 2_147_483_647;

async function opened(databaseUrl: string) {
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  return db;
}

/** A database as a version left it that counted the ledger in 32 bits: with an account that was given credits. */
async function earlierDatabase(databaseUrl: string): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db, 'postgres', { migrations: MIGRATIONS.slice(0, 26) });
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ username: 'ada', createdAt: 1, disabledAt: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await createLedger({ db, clock: systemClock }).grant({ accountId, amount: 5_000 });
  await db.destroy();
  return accountId;
}

describe.skipIf(url === undefined)('on PostgreSQL (TEST_POSTGRES_URL)', () => {
  if (url !== undefined) usePostgres(url);

  test('a ledger that has more entries than 32 bits can count goes on', async () => {
    const storage = await testStorage();
    const world = await serviceWorld({ storage });
    const db = await opened(storage.databaseUrl);
    for (const table of ['entries', 'grants'])
      await sql`select setval(${`${table}_id_seq`}, ${LAST_INTEGER})`.execute(db);
    const { id, key } = await world.addAccount(10);
    const task = await world.submitted({ prompt: 'a fox' }, key);
    expect((await world.until(task, undefined, key)).status).toBe('completed');
    expect(await world.balance(key)).toBe(9);
    const entries = await createLedger({ db, clock: systemClock }).entries(id, { limit: 10 });
    expect(entries.map(({ id, kind, grantId }) => [id - LAST_INTEGER, kind, grantId - LAST_INTEGER])).toEqual(
      [
        [3, 'capture', 1],
        [2, 'reserve', 1],
        [1, 'grant', 1],
      ],
    );
  });

  test('a ledger of an earlier version is the same after an upgrade', async () => {
    const { databaseUrl } = await testStorage();
    const accountId = await earlierDatabase(databaseUrl);
    const db = await opened(databaseUrl);
    expect(await createLedger({ db, clock: systemClock }).balance(accountId)).toBe(5_000);
    expect(await checkLedger(db)).toEqual([]);
    const ofNoGrant = sql`insert into entries ("accountId", "grantId", kind, amount, "createdAt")
      values (${accountId}, ${LAST_INTEGER + 1}, 'grant', 1, 1)`;
    await expect(ofNoGrant.execute(db)).rejects.toThrow('foreign key');
  });

  test('an upgrade waits for a submission that takes credits meanwhile, and that does not wait for it', async () => {
    const { databaseUrl } = await testStorage();
    const accountId = await earlierDatabase(databaseUrl);
    const pool = new Pool({ connectionString: databaseUrl });
    onTestFinished(() => pool.end());
    const submission = await pool.connect();
    onTestFinished(() => submission.release());
    await submission.query('begin');
    await submission.query('update grants set remaining = 4000');
    const upgraded = opened(databaseUrl);
    await expect.poll(async () => (await submission.query(WAITERS)).rowCount).toBe(1);
    await submission.query(`insert into entries ("accountId", "grantId", "taskId", kind, amount, "createdAt")
      select "accountId", "grantId", 'any', 'reserve', -1000, 1 from entries`);
    await submission.query('commit');
    expect(await createLedger({ db: await upgraded, clock: systemClock }).balance(accountId)).toBe(4_000);
  });
});
