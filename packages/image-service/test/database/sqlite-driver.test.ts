import { DatabaseUnavailable, openSqlite, sqlitePath } from '@darkroom/storage';
import { captureLog } from '@darkroom/testing';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteDriver } from '../../src/database/sqlite-driver.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

interface Notes {
  notes: { text: string };
}

/** A database with a table, whose statements wait 100 ms for the lock; and another connection that can hold it. */
async function notesDatabase() {
  const { databaseUrl } = await testStorage();
  const path = sqlitePath(databaseUrl) ?? '';
  const other = openSqlite(path, { timeoutMs: 0 });
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)');
  const writer = openSqlite(path, { timeoutMs: 0 });
  const { log, lines } = captureLog();
  const db = new Kysely<Notes>({
    dialect: {
      createDriver: () =>
        createSqliteDriver({ writer, reader: openSqlite(path, { timeoutMs: 0 }), lockTimeoutMs: 100, log }),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (of) => new SqliteIntrospector(of),
    },
  });
  onTestFinished(async () => {
    await db.destroy();
    other.close();
  });
  return {
    db,
    writer,
    other,
    said: () => lines.map((line) => JSON.parse(line).msg),
    write: (text: string) => db.insertInto('notes').values({ text }).execute(),
    texts: async () => (await db.selectFrom('notes').select('text').execute()).map(({ text }) => text),
  };
}

test('while another process writes, reads are answered and writes wait', async () => {
  const { other, write, texts } = await notesDatabase();
  other.exec('begin immediate');
  const written = write('a');
  expect(await texts()).toEqual([]);
  other.exec('commit');
  await written;
  expect(await texts()).toEqual(['a']);
});

test('a lock that is held for long is an outage, logged once, and over when it is released', async () => {
  const { db, other, write, texts, said } = await notesDatabase();
  other.exec('begin immediate');
  const attempts = [write('a'), write('b'), db.transaction().execute(async () => undefined)];
  for (const { reason } of (await Promise.allSettled(attempts)).filter(
    (each) => each.status === 'rejected',
  )) {
    expect(reason).toBeInstanceOf(DatabaseUnavailable);
    expect(reason.message).toContain('is locked by another process');
  }
  expect(said()).toEqual(['The SQLite file cannot be reached; trying again']);
  other.exec('commit');
  await write('c');
  expect(await texts()).toEqual(['c']);
});

test('a transaction that is rolled back for want of room says so', async () => {
  const { db, writer, texts } = await notesDatabase();
  writer.exec('PRAGMA max_page_count = 4');
  const filled = db.transaction().execute(async (trx) => {
    for (let row = 0; row < 1_000; row++)
      await trx
        .insertInto('notes')
        .values({ text: 'a'.repeat(1_000) })
        .execute();
  });
  await expect(filled).rejects.toThrow('has no room left');
  expect(await texts()).toEqual([]);
});

test('a transaction that fails for a reason of its own is rolled back', async () => {
  const { db, write, texts } = await notesDatabase();
  const failed = db.transaction().execute(async (trx) => {
    await trx.insertInto('notes').values({ text: 'a' }).execute();
    await sql`select * from nowhere`.execute(trx);
  });
  await expect(failed).rejects.toThrow('no such table');
  await write('b');
  expect(await texts()).toEqual(['b']);
});

test('a service answers polls while another process holds the lock, and accepts what waited', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage });
  const other = openSqlite(sqlitePath(storage.databaseUrl) ?? '', { timeoutMs: 1_000 });
  onTestFinished(() => other.close());
  other.exec('begin immediate');
  const submitted = world.submitted({ prompt: 'a fox' });
  expect(await world.balance()).toBe(100);
  other.exec('commit');
  expect((await world.until(await submitted)).status).toBe('completed');
});
