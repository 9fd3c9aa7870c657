import { execFileSync } from 'node:child_process';
import fs, { closeSync, constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseUnavailable, openSqlite, sqlitePath } from '@darkroom/storage';
import { captureLog } from '@darkroom/testing';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { proveWritable } from '../../src/database/prove-writable.ts';
import { createSqliteDriver } from '../../src/database/sqlite-driver.ts';
import { createSqliteFlush, type SqliteFlush } from '../../src/database/sqlite-flush.ts';
import { serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

interface Notes {
  notes: { text: string };
}

/**
 * A database with a table, whose statements wait 100 ms for the lock; and another connection that can hold it. `flush`
 * in place of the disk's.
 */
async function notesDatabase({ flush }: Partial<Pick<SqliteFlush, 'flush'>> = {}) {
  const { databaseUrl } = await testStorage();
  const path = sqlitePath(databaseUrl) ?? '';
  const other = openSqlite(path, { timeoutMs: 0 });
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)');
  const writer = openSqlite(path, { timeoutMs: 0 });
  const disk = createSqliteFlush(path);
  const { log, lines } = captureLog();
  const db = new Kysely<Notes>({
    dialect: {
      createDriver: () =>
        createSqliteDriver({
          writer,
          reader: openSqlite(path, { timeoutMs: 0 }),
          disk: { ...disk, ...(flush && { flush }) },
          lockTimeoutMs: 100,
          log,
        }),
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

test('a file that may not be written says so, and nothing of room', async () => {
  const { writer, write, texts } = await notesDatabase();
  writer.exec('PRAGMA query_only = ON');
  await expect(write('a')).rejects.toThrow('cannot be read or written: attempt to write a readonly database');
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

test('a write is done once it is on the disk; others go on meanwhile, and share the next flush', async () => {
  const flushes: (() => void)[] = [];
  const { db, write, texts } = await notesDatabase({
    flush: () => new Promise((resolve) => flushes.push(resolve)),
  });
  const done: string[] = [];
  const written = [
    write('a').then(() => done.push('a')),
    db
      .transaction()
      .execute((trx) => trx.insertInto('notes').values({ text: 'b' }).execute())
      .then(() => done.push('b')),
  ];
  await expect.poll(async () => (await texts()).sort()).toEqual(['a', 'b']);
  await expect.poll(() => flushes.length).toBe(2);
  expect(done).toEqual([]);
  for (const flush of flushes) flush();
  await Promise.all(written);
  expect(done.sort()).toEqual(['a', 'b']);
});

test('a commit that cannot be flushed says so, and undoes nothing of the next transaction', async () => {
  const failing: ((error: Error) => void)[] = [];
  const { db, texts } = await notesDatabase({
    flush: () =>
      new Promise((resolve, reject) => failing.push(failing.length === 0 ? reject : () => resolve())),
  });
  const insert = (text: string) =>
    db.transaction().execute((trx) => trx.insertInto('notes').values({ text }).execute());
  const unflushed = insert('a').catch((error: unknown) => error);
  await expect.poll(() => failing.length).toBe(1);
  const next = db.transaction().execute(async (trx) => {
    await trx.insertInto('notes').values({ text: 'b' }).execute();
    failing[0]?.(new Error('EIO'));
    expect(await unflushed).toMatchObject({ problem: 'does not answer', untouched: false });
    await trx.insertInto('notes').values({ text: 'c' }).execute();
  });
  await expect.poll(() => failing.length).toBe(2);
  failing[1]?.(new Error('unused'));
  await next;
  expect(await texts()).toEqual(['a', 'b', 'c']);
});

test('a disk that takes seconds for a flush stops nothing meanwhile', async () => {
  const { fdatasync } = fs;
  const slow = (file: number, done: fs.NoParamCallback) => void setTimeout(fdatasync, 2_500, file, done);
  const [flush, stop] = [vi.spyOn(fs, 'fdatasync').mockImplementation(slow), vi.spyOn(fs, 'fdatasyncSync')];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of [flush, stop]) spy.mockRestore();
    syncBuiltinESMExports();
  });
  const { write, texts } = await notesDatabase();
  await write('a');
  expect(await texts()).toEqual(['a']);
  expect([flush, stop].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

test.skipIf(process.platform === 'win32')(
  'writes are flushed while all threads of Node wait for something else',
  async () => {
    const { databaseUrl } = await testStorage();
    const { write, texts } = await notesDatabase();
    const pipe = join(`${sqlitePath(databaseUrl)}-pipe`);
    execFileSync('mkfifo', [pipe]);
    // Each of them takes a thread until somebody writes there.
    const waiting = Array.from({ length: 64 }, () => open(pipe, 'r'));
    await write('a');
    expect(await texts()).toEqual(['a']);
    const somebody = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    for (const file of await Promise.all(waiting)) await file.close();
    closeSync(somebody);
  },
);

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

test('whether a database takes writes is tried by one that needs room on its disk', async () => {
  const { databaseUrl } = await testStorage();
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  const path = sqlitePath(databaseUrl) ?? '';
  const other = openSqlite(path, { timeoutMs: 0 });
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  const log = async () => (await stat(`${path}-wal`)).size;
  expect(await log()).toBe(0);
  await proveWritable(db);
  expect(await log()).toBeGreaterThan(0);
  expect(await db.selectFrom('expenses').selectAll().execute()).toEqual([]);
});
