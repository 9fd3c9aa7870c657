import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { testStorage } from '../support/storage.ts';

async function opened(url: string) {
  const db = await openDatabase(url);
  onTestFinished(() => db.destroy());
  return db;
}

test('a new database that several open at once is made once', async () => {
  const { databaseUrl } = await testStorage();
  const databases = await Promise.all(Array.from({ length: 4 }, () => opened(databaseUrl)));
  for (const db of databases)
    expect(await db.selectFrom('keyHolders').select('version').execute()).toHaveLength(1);
});

test('a database that a later version has changed is left alone', async () => {
  const { databaseUrl } = await testStorage();
  const db = await opened(databaseUrl);
  await sql`insert into "kysely_migration" values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(db);
  await expect(openDatabase(databaseUrl)).rejects.toThrow(
    'a later version of the service has changed its tables (9999-later)',
  );
});
