import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { createVault, openSqlite } from '@darkroom/storage';
import { captureLog, WAITERS } from '@darkroom/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { runStoreCommand } from '../../src/operator/store-commands.ts';
import { openLocks, PROCESS } from '../../src/shards/locks.ts';
import { openStore } from '../../src/storage/store.ts';
import { acquireStoreLock } from '../../src/storage/store-lock.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { aJob } from '../support/job.ts';
import { postgresSchema, postgresSession } from '../support/postgres.ts';
import { createStoreWorld } from '../support/store.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

const PICTURE = { task: 0, contentType: 'image/png', bytes: new Uint8Array([0, 255, 128, 10]) };
const WAITING = aJob({ id: '100000000000000002', state: 'waiting' });

/** A store with a job that is under way and one that waits with its picture, and an empty one beside it. */
async function operatorWorld() {
  const world = await createStoreWorld();
  const jobsIn = async (url: StoreUrl) => {
    const store = await openStore({ url, log: captureLog().log });
    onTestFinished(() => store.close().catch(() => undefined));
    return { jobs: createJobStore({ store, vault: createVault(['ab'.repeat(32)]) }), close: store.close };
  };
  const { jobs, close } = await jobsIn(world.url);
  await jobs.create(aJob());
  await jobs.create(WAITING);
  await jobs.saveAndSettle(WAITING);
  await jobs.savePictures(WAITING, [PICTURE]);
  await close();
  return {
    ...world,
    empty: `sqlite://${join(world.folder, 'other.sqlite')}` as const,
    file: join(world.folder, 'backups', 'today.sqlite'),
    run: (...args: string[]) => runStoreCommand(args, { STORE_URL: world.url, SECRET_KEY: 'ab'.repeat(32) }),
    runOn: (url: StoreUrl, ...args: string[]) =>
      runStoreCommand(args, { STORE_URL: url, SECRET_KEY: 'ab'.repeat(32) }),
    jobsIn,
    async expectAllIn(url: StoreUrl) {
      const { jobs } = await jobsIn(url);
      expect((await jobs.page(WAITING.member.id, { limit: 5 })).jobs).toEqual([WAITING, aJob()]);
      expect(await jobs.unfinished()).toHaveLength(2);
      expect(await jobs.loadPictures(WAITING.id)).toEqual(
        [PICTURE].map((one) => ({ ...one, bytes: Buffer.from(one.bytes) })),
      );
    },
  };
}

test('a backup of a store that is in use is restored into an empty one, with everything in it', async () => {
  const world = await operatorWorld();
  const lock = await acquireStoreLock({ path: world.path });
  onTestFinished(lock.release);
  expect(await world.run('backup', world.file)).toContain(`Backed up ${world.path} to ${world.file}.`);
  const secret = join(world.folder, 'secret.key');
  await writeFile(secret, '');
  const named = `sqlite://${relative(process.cwd(), join(world.folder, 'other.sqlite'))}` as const;
  const restored = await world.runOn(named, 'restore', world.file);
  expect(restored).toMatch(/^Copied 6 rows and the pictures of 1 job /);
  expect(restored).toContain(`open only with the key in ${secret}`);
  expect(restored).toContain('keys that were unlinked, are back');
  await world.expectAllIn(world.empty);
  expect(await readdir(dirname(world.file))).toEqual([basename(world.file)]);
});

test('a backup is only read: one of an older layout, on a disk that nobody may write to, stays as it is', async () => {
  const world = await operatorWorld();
  await world.run('backup', world.file);
  const old = openSqlite(world.file, { timeoutMs: 0 });
  for (const statement of [
    "DELETE FROM bot_rows WHERE key = 'store:layout'",
    'DROP INDEX bot_rows_expires',
    'ALTER TABLE bot_rows DROP COLUMN expires',
    'DROP TABLE bot_pictures',
  ])
    old.exec(statement);
  old.close();
  const before = await readFile(world.file);
  // A lock lies beside a store that was copied as it lay.
  await writeFile(`${world.file}.lock`, '', { mode: 0o400 });
  await chmod(world.file, 0o400);
  await chmod(dirname(world.file), 0o500);
  onTestFinished(() => chmod(dirname(world.file), 0o700));
  expect(await world.runOn(world.empty, 'restore', world.file)).toContain('Copied 6 rows');
  expect(await readFile(world.file)).toEqual(before);
  expect((await readdir(dirname(world.file))).toSorted()).toEqual(['today.sqlite', 'today.sqlite.lock']);
  expect((await readdir(world.folder)).filter((name) => name.endsWith('.restore'))).toEqual([]);
});

test('what a restore that was killed has left is gone after the next', async () => {
  const world = await operatorWorld();
  await world.run('backup', world.file);
  const left = join(world.folder, 'other.sqlite.restore');
  await mkdir(left);
  await writeFile(join(left, 'yesterday.sqlite'), 'every prompt');
  await world.runOn(world.empty, 'restore', world.file);
  expect(existsSync(left)).toBe(false);
});

test('a backup in the folder that a restore empties first is refused, and stays, also by way of a link', async () => {
  const world = await operatorWorld();
  const file = join(world.folder, 'other.sqlite.restore', 'only.sqlite');
  await world.run('backup', file);
  const link = join(world.folder, 'link');
  await symlink(dirname(file), link);
  for (const path of [file, join(link, 'only.sqlite')]) {
    await expect(world.runOn(world.empty, 'restore', path)).rejects.toThrow(
      `${path} lies in ${dirname(file)}, which every restore empties first. Move it out of there, and name it where it is then.`,
    );
  }
  const moved = join(world.folder, 'only.sqlite');
  await rename(file, moved);
  expect(await world.runOn(world.empty, 'restore', moved)).toContain('Copied 6 rows');
});

test('who copies a store is told to delete the old one, where what is erased on the new one still stands', async () => {
  const world = await operatorWorld();
  const copied = await world.run('copy', world.url, world.empty);
  expect(copied).toContain(`Delete ${world.path} once the bot runs on the new one`);
});

test('nothing is written over', async () => {
  const world = await operatorWorld();
  await world.run('backup', world.file);
  await expect(world.run('backup', world.file)).rejects.toThrow('is there already');
  await expect(world.run('restore', world.file)).rejects.toThrow(
    `The store ${world.file} could not be copied to ${world.path}: there are rows in it already. Move what is there out of the way first`,
  );
  const here = `sqlite://${relative(process.cwd(), world.path)}`;
  await expect(world.run('copy', world.url, here)).rejects.toThrow(
    `${world.path} is the store that is copied.`,
  );
});

test('a backup of something else is not restored, and left as it is', async () => {
  const world = await operatorWorld();
  const other = join(world.folder, 'service.sqlite');
  const sqlite = openSqlite(other, { timeoutMs: 0 });
  sqlite.exec('CREATE TABLE accounts (id INTEGER)');
  sqlite.close();
  const before = await readFile(other);
  await expect(world.runOn(world.empty, 'restore', other)).rejects.toThrow(
    `${other} cannot be restored: it is no backup of this database. Nothing was changed.`,
  );
  expect(await readFile(other)).toEqual(before);
  await expect(world.runOn(world.empty, 'restore', `${other}-of-nobody`)).rejects.toThrow(
    'There is no file ',
  );
});

test('a backup that is there, and cannot be read, is not called missing', async () => {
  const world = await operatorWorld();
  const circle = join(world.folder, 'backups');
  await symlink(circle, circle);
  for (const unreadable of [join(circle, 'today.sqlite'), world.folder])
    await expect(world.runOn(world.empty, 'restore', unreadable)).rejects.toThrow(
      /could not be copied to .*: E(LOOP|ISDIR).*Look at both, at whose they are and at their disks\.$/,
    );
});

test('a backup is told by whole paths where it cannot be written: who reads it may be in another folder', async () => {
  const world = await operatorWorld();
  await world.run('backup', world.file);
  const here = (path: string) => relative(process.cwd(), path);
  const backUp = (file: string) => world.runOn(`sqlite://${here(world.path)}`, 'backup', here(file));
  await expect(backUp(world.file)).rejects.toThrow(`${world.file} is there already`);
  const below = join(world.file, 'below');
  await expect(backUp(below)).rejects.toThrow(`${world.path} cannot be backed up to ${below}: `);
});

test('a store that a bot runs on is neither copied nor copied to, and one that is not there is not made', async () => {
  const world = await operatorWorld();
  const missing = join(world.folder, 'missing.sqlite');
  await expect(world.run('copy', `sqlite://${missing}`, world.empty)).rejects.toThrow(
    `There is no store ${missing}`,
  );
  expect(existsSync(missing)).toBe(false);
  const lock = await acquireStoreLock({ path: world.path });
  await expect(world.run('copy', world.url, world.empty)).rejects.toThrow('Another Darkroom is running on');
  await expect(world.run('copy', world.empty, world.url)).rejects.toThrow();
  await expect(world.runOn(world.empty, 'restore', world.path)).rejects.toThrow(
    'Another Darkroom is running',
  );
  lock.release();
  await expect(world.run('copy', 'redis://:secret@here', world.empty)).rejects.toThrow(
    /^That is not the URL of a store; expected sqlite:.+$/,
  );
});

describe.skipIf(server === '')('with PostgreSQL (TEST_POSTGRES_URL)', () => {
  test('a store goes into PostgreSQL and back', async () => {
    const world = await operatorWorld();
    const url = await postgresSchema(server);
    expect(await world.run('copy', world.url, url)).toContain('Copied 6 rows and the pictures of 1 job');
    await world.expectAllIn(url);
    const back = await world.run('copy', url, world.empty);
    // Others may have tables in the same database.
    expect(back).toMatch(
      / Drop the tables bot_rows and bot_pictures of postgres:\S+ once the bot runs on the new one: /,
    );
    await world.expectAllIn(world.empty);
    await world.runOn(url, 'backup', world.file);
    await world.expectAllIn(`sqlite://${world.file}`);
  });

  test('a store that a bot runs on is not copied', async () => {
    const world = await operatorWorld();
    const url = await postgresSchema(server);
    const locks = await openLocks(url);
    await locks.share(PROCESS);
    await expect(world.run('copy', world.url, url)).rejects.toThrow('A Darkroom is running on');
    await locks.close();
    await world.run('copy', world.url, url);
  });

  test('a store that is copied may rest while what was read of it goes over a slow line', async () => {
    const world = await operatorWorld();
    const [from, to] = [await postgresSchema(server), await postgresSchema(server)];
    await world.run('copy', world.url, from);
    await (await openStore({ url: to, log: captureLog().log })).close();
    const admin = await postgresSession(to);
    await admin.query(`create function is_patient() returns trigger language plpgsql as $$ begin
      if current_setting('idle_in_transaction_session_timeout')::interval < '5 minutes' then
        raise 'no transaction may rest';
      end if;
      return null;
    end $$`);
    await admin.query(
      'create trigger patient after insert on bot_rows for each statement execute function is_patient()',
    );
    await world.run('copy', from, to);
    await world.expectAllIn(to);
  });

  test('a PostgreSQL that is too old is named as it was given', async () => {
    const world = await operatorWorld();
    const url = new URL(await postgresSchema(server));
    const [, schema] = (url.searchParams.get('options') ?? '').split('=');
    url.searchParams.set('options', `-csearch_path=${schema},pg_catalog`);
    const admin = await postgresSession(server);
    await admin.query(`create function ${schema}.current_setting(text) returns text return '130000'`);
    await expect(world.run('copy', world.url, url.href)).rejects.toThrow(
      `The PostgreSQL at ${url.hostname}:${url.port} is older than 14. Take a newer one.`,
    );
  });

  /** A copy that waits for its first row to be written, and how to go on with it. */
  async function waitingCopy() {
    const world = await operatorWorld();
    const url = await postgresSchema(server);
    await (await openStore({ url, log: captureLog().log })).close();
    const writer = await postgresSession(url);
    await writer.query('begin');
    // Rows can be read there, and none can be written.
    await writer.query('lock table bot_rows in share mode');
    // In a transaction it would see no session that comes later.
    const admin = await postgresSession(url);
    const copied = world.run('copy', world.url, url);
    const failure = copied.catch((error: unknown) => error);
    const named = 'select application_name from pg_stat_activity where pid = pg_backend_pid()';
    const ofCopy = `select pid from pg_stat_activity where application_name = (${named})`;
    await expect.poll(async () => (await writer.query(WAITERS)).rowCount).toBeGreaterThan(0);
    return {
      failure,
      /** Ends its session that has the lock of the store. */
      endLock: () =>
        admin.query(
          `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid in (${ofCopy})`,
        ),
      /** Ends its session that waits. */
      endWrite: () => writer.query(`select pg_terminate_backend(pid) from (${WAITERS}) as waiting`),
      goOn: () => writer.query('commit'),
      jobs: async () => (await world.jobsIn(url)).jobs.unfinished(),
    };
  }

  test('a copy ends, and leaves nothing, once nothing keeps a bot from its store', async () => {
    const copy = await waitingCopy();
    await copy.endLock();
    await copy.goOn();
    const words = expect.stringMatching(/^The lock on postgres:.+ was lost: .+ Run this again\.$/);
    expect(await copy.failure).toMatchObject({ message: words });
    expect(await copy.jobs()).toEqual([]);
  });

  test('a copy whose PostgreSQL fails says which store was not copied where', async () => {
    const copy = await waitingCopy();
    await copy.endWrite();
    const words = expect.stringMatching(/^The store \/.+ could not be copied to postgres:.+: .+/);
    expect(await copy.failure).toMatchObject({ name: 'OperatorError', message: words });
    await copy.goOn();
    expect(await copy.jobs()).toEqual([]);
  });
});

test('a PostgreSQL that does not answer is a sentence', async () => {
  const world = await operatorWorld();
  const nowhere = 'postgres://somebody:secret@127.0.0.1:1/nowhere';
  await expect(world.run('copy', world.url, nowhere)).rejects.toThrow(
    /^The store postgres:\/\/127\.0\.0\.1:1\/nowhere cannot be opened: .*ECONNREFUSED.*\. Check that PostgreSQL runs there, and the address\.$/,
  );
});

test.each([
  ['en', en],
  ['de', de],
])('the privacy policy of the operator says what /privacy says: %s', async (language, { privacy }) => {
  const policy = await runStoreCommand(['policy', '--language', language], { RETENTION_DAYS: '45' });
  for (const line of privacy.kept(45, 30)) expect(policy).toContain(line);
});
