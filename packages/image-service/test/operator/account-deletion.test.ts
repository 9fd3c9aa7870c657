import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createImageClient } from '@darkroom/image-api';
import { OperatorError } from '@darkroom/process';
import { sqlitePath } from '@darkroom/storage';
import { createDeferred } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { createAccountDeletion } from '../../src/accounts/account-deletion.ts';
import { openDatabase, type ServiceDatabase } from '../../src/database/database.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { boundPlace } from '../../src/files/bounded-place.ts';
import { createFiles } from '../../src/files/files.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createUploads } from '../../src/inputs/uploads.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { runCommand } from '../../src/operator/command-line.ts';
import { createTasks } from '../../src/tasks/tasks.ts';
import { controlledEngine, endlessEngine, paint } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { createServiceWorld, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

/** The tables with a column `accountId`. Other schemas of the same PostgreSQL come and go meanwhile. */
async function tablesOfAccounts(db: ServiceDatabase, databaseUrl: string): Promise<string[]> {
  const { rows } = await (databaseUrl.startsWith('postgres')
    ? sql<{ name: string }>`
        select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
        where relkind = 'r' and relnamespace = current_schema()::regnamespace and attname = 'accountId'`
    : sql<{ name: string }>`
        select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table' and columns.name = 'accountId'`
  ).execute(db);
  return rows.map(({ name }) => name);
}

/** How many rows of each table name the account. */
async function rowsOf(databaseUrl: string, accountId: number): Promise<Record<string, number>> {
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  const counts: Record<string, number> = {};
  for (const name of await tablesOfAccounts(db, databaseUrl)) {
    const { rows } = await db.executeQuery<{ count: number }>(
      // The names of our own tables are no type that Kysely knows here.
      db
        .selectFrom(name as 'tasks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('accountId', '=', accountId)
        .compile(),
    );
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

test('an account is deleted with everything of it, and nothing of any other', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const other = await world.addAccount();
  const kept = await world.until(
    await world.submitted({ prompt: 'theirs' }, other.key),
    undefined,
    other.key,
  );
  await world.until(await world.submitted({ prompt: 'a fox' }));
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  const { bytes } = await paint({ width: 64, height: 64 });
  for (const { key } of [world, other]) await client.upload(bytes, { apiKey: key });
  expect(await rowsOf(storage.databaseUrl, world.id)).toMatchObject({
    uploads: 1,
    tasks: 1,
    keys: 1,
    loginTokens: 1,
    entries: 3,
  });

  const deleted = JSON.parse(await run('account', 'delete', world.username, '--yes', '--json'));
  expect(deleted).toEqual([
    { id: world.id, account: world.username, 'deleted tasks': 1, 'deleted pictures': 1, wiped: 'yes' },
  ]);
  for (const [table, rows] of Object.entries(await rowsOf(storage.databaseUrl, world.id)))
    expect(rows, table).toBe(0);
  expect((await world.status('any')).status).toBe(401);
  expect(await run('account', 'list')).not.toContain(world.username);
  expect(await run('ledger', 'check')).toContain('every entry matches');
  const url = kept.status === 'completed' ? kept.result.image_url : '';
  expect((await fetch(url)).status).toBe(200);
  const left = await readdir(join(storage.folder, 'pictures'));
  expect(left.filter((name) => name.endsWith('.png'))).toHaveLength(2);
});

test('a large ledger is deleted in parts, so that nobody waits long for the database', async () => {
  const { storage, run } = await operator();
  // Only PostgreSQL can tell how many rows a statement deletes.
  if (sqlitePath(storage.databaseUrl) !== undefined) return;
  const world = await serviceWorld({ storage });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  await sql`insert into entries ("accountId", "grantId", kind, amount, "createdAt")
    select "accountId", id, 'grant', 0, 0 from grants, generate_series(1, 12000)`.execute(db);
  await sql`create function refuse_many() returns trigger language plpgsql as $$ begin
    if (select count(*) from deleted) > 5000 then raise 'too many at once'; end if; return null; end $$`.execute(
    db,
  );
  await sql`create trigger refuse_many after delete on entries referencing old table as deleted
    for each statement execute function refuse_many()`.execute(db);
  await run('account', 'delete', world.username, '--yes');
  expect((await rowsOf(storage.databaseUrl, world.id)).entries).toBe(0);
});

test('an account whose tasks are not over is deleted only by force, which ends them', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine, limits: { slots: 1, leaseMs: 300 } });
  await world.submitted({ prompt: 'begun' });
  const { signal } = await engine.next();
  await world.submitted({ prompt: 'waiting' });
  const refused = run('account', 'delete', world.username, '--yes');
  await expect(refused).rejects.toThrow(/has 2 tasks waiting or being drawn.*--force/);
  expect((await world.status('any')).status).toBe(404);
  await run('account', 'delete', world.username, '--yes', '--force');
  await expect.poll(() => signal.aborted).toBe(true);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});

test('an account that is deleted by force while its tasks are drawn leaves no row and no picture', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await createServiceWorld({ storage, engine, limits: { running: 8, leaseMs: 3_000 } });
  for (let time = 0; time < 20; time++) {
    const { username, key } = await world.addAccount();
    for (let more = 0; more < 4; more++)
      await world.submitted({ prompt: 'a fox', width: 64, height: 64 }, key);
    const drawings = await Promise.all(Array.from({ length: 4 }, () => engine.next()));
    const preview = await sharp((await paint({ width: 64, height: 64 })).bytes)
      .webp()
      .toBuffer();
    for (const drawing of drawings) drawing.progress(50, preview);
    const deleted = run('account', 'delete', username, '--yes', '--force');
    const late = world.submit({ prompt: 'too late' }, key);
    await delay(time * 5);
    await Promise.all([deleted, late, ...drawings.map((drawing) => drawing.finish())]);
    await engine.finishAll();
  }
  await world.close();
  expect(world.lines.filter((line) => line.includes('cannot be stored'))).toEqual([]);

  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  for (const table of ['tasks', 'files', 'webhooks', 'entries', 'usage', 'submissionRates'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual(
      table === 'entries' ? [expect.objectContaining({ accountId: world.id })] : [],
    );
  const left = await readdir(join(storage.folder, 'pictures'));
  expect(left.filter((name) => !name.startsWith('proof-'))).toEqual([]);
});

test('a submission that goes on while its account is deleted is refused, and leaves nothing', async () => {
  const storage = await testStorage();
  const asked = createDeferred<void>();
  const goOn = createDeferred<void>();
  const engine: Engine = {
    ...endlessEngine(),
    async rejection() {
      asked.resolve();
      await goOn.promise;
      return undefined;
    },
  };
  const world = await serviceWorld({ storage, engine });
  const { id, username, key } = await world.addAccount();
  const submission = world.submit({ prompt: 'a fox' }, key);
  await asked.promise;

  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const place = boundPlace(createFolder(join(storage.folder, 'pictures')));
  const parts = { db, place, clock: systemClock, limits: SERVICE_LIMITS };
  const uploads = createUploads(parts);
  const deleteAccount = createAccountDeletion({
    db,
    tasks: createTasks({ ...parts, ledger: createLedger(parts) }),
    files: createFiles(parts),
    uploads: {
      ...uploads,
      async of(...given) {
        // No task is left by now.
        goOn.resolve();
        expect((await submission).status).toBe(401);
        return uploads.of(...given);
      },
    },
    clock: systemClock,
  });
  expect(await deleteAccount({ id, username }, { force: true })).toMatchObject({ tasks: 0, pictures: 0 });
  for (const [table, rows] of Object.entries(await rowsOf(storage.databaseUrl, id)))
    expect(rows, table).toBe(0);
  expect(await db.selectFrom('tasks').selectAll().execute()).toEqual([]);
});

test('of an account that is deleted the place is asked to remove what it still has, and nothing else', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine });
  const { id, username, key } = await world.addAccount();
  const taskId = await world.submitted({ prompt: 'a fox', width: 64, height: 64 }, key);
  const drawing = await engine.next();
  const preview = await sharp((await paint({ width: 64, height: 64 })).bytes)
    .webp()
    .toBuffer();
  drawing.progress(50, preview);
  await world.until(taskId, (task) => task.status === 'processing' && task.preview_url !== undefined, key);
  await drawing.finish();
  await world.until(taskId, undefined, key);

  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const previews = db.selectFrom('files').select('removedAt').where('kind', '=', 'preview');
  await expect.poll(async () => (await previews.executeTakeFirstOrThrow()).removedAt).not.toBeNull();
  const folder = createFolder(join(storage.folder, 'pictures'));
  const removed: string[] = [];
  const place = boundPlace({
    ...folder,
    async remove(name, signal) {
      removed.push(name);
      await folder.remove(name, signal);
    },
  });
  const parts = { db, place, clock: systemClock, limits: SERVICE_LIMITS };
  const deleteAccount = createAccountDeletion({
    ...parts,
    tasks: createTasks({ ...parts, ledger: createLedger(parts) }),
    files: createFiles(parts),
    uploads: createUploads(parts),
  });
  expect(await deleteAccount({ id, username }, { force: false })).toMatchObject({ tasks: 1, pictures: 1 });
  expect(removed).toEqual([expect.stringMatching(/\.png$/)]);
});

test('an account is deleted only by who types its name', async () => {
  const { env, run } = await operator();
  await run('account', 'add', 'mira', '--create');
  const typed = (answer: string) =>
    runCommand(['account', 'delete', 'mira'], env, async (question, expected) => {
      expect(question).toContain('mira');
      if (answer !== expected) throw new OperatorError('no');
    });
  await expect(typed('yes')).rejects.toThrow('no');
  // Where there is no terminal.
  await expect(run('account', 'delete', 'mira')).rejects.toThrow(/--yes/);
  expect(await run('account', 'list')).toContain('mira');
  await typed('mira');
  expect(await run('account', 'list')).not.toContain('mira');
});
