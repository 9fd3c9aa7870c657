import { pgbouncerPath, startPgbouncer } from '@darkroom/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { serviceWorld } from './support/service.ts';
import { createPostgresDatabase, testStorage } from './support/storage.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/** The URL of a new database by way of a pooler. */
async function pooledDatabase(mode: 'session' | 'transaction'): Promise<string> {
  const database = await createPostgresDatabase(server);
  onTestFinished(database.remove);
  return (await startPgbouncer(database.url, { mode })).url;
}

describe.skipIf(server === '' || !pgbouncerPath)('behind PgBouncer (TEST_POSTGRES_URL)', () => {
  test('by session tables are made, and tasks are taken, drawn and charged', async () => {
    const storage = { ...(await testStorage()), databaseUrl: await pooledDatabase('session') };
    const world = await serviceWorld({ storage });
    // Often enough that their statements are prepared.
    for (let round = 0; round < 3; round++) {
      const submitted = await Promise.all(
        Array.from({ length: 5 }, () => world.submitted({ prompt: 'a fox' })),
      );
      for (const task of submitted) expect(await world.until(task)).toMatchObject({ status: 'completed' });
    }
    expect(await world.balance()).toBeLessThan(100);
  });

  test('by transaction the service does not start, and names the pooler', async () => {
    await expect(openDatabase(await pooledDatabase('transaction'))).rejects.toThrow(
      /^The service cannot use its database \S+: PgBouncer, or another pooler, .+ session mode\.$/,
    );
  });
});
