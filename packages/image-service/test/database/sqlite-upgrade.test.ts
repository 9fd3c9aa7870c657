import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { backUpSqlite, openSqlite, sqlitePath } from '@darkroom/storage';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { MIGRATIONS } from '../../src/database/migrations/index.ts';
import type { Tables } from '../../src/database/tables.ts';
import { testStorage } from '../support/storage.ts';

/** How often a process is killed: some times, or 200 for a long run. */
const KILLS = Number(process.env.TEST_KILLS ?? 5);
/** Longer than a migration takes. */
const MIGRATION_MS = 50;
const OPENER = fileURLToPath(
  new URL('../../../../dist/packages/image-service/test/support/database-opener.js', import.meta.url),
);

/** A database as an earlier version left it: with an account, and without the last migrations. */
async function earlierDatabase(databaseUrl: string, username = 'ada'): Promise<void> {
  const sqlite = openSqlite(sqlitePath(databaseUrl) ?? '', { timeoutMs: 0 });
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrate(db, 'sqlite', { migrations: MIGRATIONS.slice(0, 3) });
  await db.insertInto('accounts').values({ username, createdAt: 1, disabledAt: null }).execute();
  await db.destroy();
}

async function accountsIn(databaseUrl: string): Promise<string[]> {
  const db = await openDatabase(databaseUrl);
  const accounts = await db.selectFrom('accounts').select('username').execute();
  await db.destroy();
  return accounts.map(({ username }) => username);
}

/** A process that opens the database. */
function startOpener(databaseUrl: string) {
  const child = spawn(process.execPath, [OPENER, databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Opens the database in another process and kills that at a random moment. */
async function openAndKill(databaseUrl: string): Promise<void> {
  const child = startOpener(databaseUrl);
  const closed = once(child, 'close');
  await once(createInterface(child.stdout), 'line');
  await delay(randomInt(MIGRATION_MS));
  child.kill('SIGKILL');
  await closed;
}

test.each([
  { moment: 'its first start', prepare: async () => {}, accounts: [] },
  { moment: 'an upgrade', prepare: earlierDatabase, accounts: ['ada'] },
])(
  'a process killed during $moment leaves a database that opens',
  async ({ prepare, accounts }) => {
    for (let kill = 0; kill < KILLS; kill++) {
      const { databaseUrl } = await testStorage();
      await prepare(databaseUrl);
      await openAndKill(databaseUrl);
      expect(await accountsIn(databaseUrl)).toEqual(accounts);
    }
  },
  5 * WAIT_TIMEOUT_MS + 3_000 * KILLS,
);

test('a new folder that several processes open at once is made once', async () => {
  const { databaseUrl } = await testStorage();
  const openers = Array.from({ length: 4 }, () => startOpener(databaseUrl));
  expect(await Promise.all(openers.map((child) => once(child, 'close')))).toEqual(
    openers.map(() => [0, null]),
  );
  expect(await accountsIn(databaseUrl)).toEqual([]);
});

test('a database in use is copied before it is changed, once', async () => {
  const { databaseUrl, folder } = await testStorage();
  await earlierDatabase(databaseUrl);
  for (let time = 0; time < 2; time++) expect(await accountsIn(databaseUrl)).toEqual(['ada']);
  expect((await readdir(folder)).filter((name) => name.includes('before'))).toEqual([
    'service.sqlite.before-0004-key-holders',
  ]);
  const copy = `sqlite://${join(folder, 'service.sqlite.before-0004-key-holders')}`;
  expect(await accountsIn(copy)).toEqual(['ada']);
});

test('where an upgrade failed and the earlier version went on, the next one copies what is there then', async () => {
  const { databaseUrl, folder } = await testStorage();
  await earlierDatabase(databaseUrl);
  const copy = join(folder, 'service.sqlite.before-0004-key-holders');
  await backUpSqlite(sqlitePath(databaseUrl) ?? '', copy);
  await earlierDatabase(databaseUrl, 'grace');
  expect(await accountsIn(databaseUrl)).toEqual(['ada', 'grace']);
  expect(await accountsIn(`sqlite://${copy}`)).toEqual(['ada', 'grace']);
});
