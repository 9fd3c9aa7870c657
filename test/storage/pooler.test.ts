import { captureLog, pgbouncerPath, startPgbouncer } from '@darkroom/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase } from '../../packages/image-service/test/support/storage.ts';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { openLocks } from '../../src/shards/locks.ts';
import { openStore } from '../../src/storage/store.ts';
import type { PostgresUrl } from '../../src/storage/store-url.ts';
import { createShardWorld, SECOND_SHARD_CHANNEL } from '../support/shard-world.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/** The URL of a store in a new database, by way of a pooler: many poolers allow no schema to be named in it. */
async function pooledStore(mode: 'session' | 'transaction'): Promise<PostgresUrl> {
  const database = await createPostgresDatabase(server);
  onTestFinished(database.remove);
  const { url } = await startPgbouncer(database.url, { mode });
  return url as PostgresUrl;
}

describe.skipIf(server === '' || !pgbouncerPath)('behind PgBouncer (TEST_POSTGRES_URL)', () => {
  test('by session two processes share the shards, and jobs are written, followed and delivered', async () => {
    const { startProcess, serve, imagine } = await createShardWorld(await pooledStore('session'));
    const [first, second] = [await startProcess(), await startProcess()];
    await serve([first, 1], [second, 1]);
    const jobs = await Promise.all([CHANNEL, SECOND_SHARD_CHANNEL, CHANNEL].map(imagine));
    for (const { ended } of jobs) expect((await ended()).attachments).toHaveLength(1);
    await first.stop();
    await serve([second, 2]);
  });

  test('by transaction neither the store nor its locks are opened, and the pooler is named', async () => {
    const url = await pooledStore('transaction');
    await expect(openStore({ url, log: captureLog().log })).rejects.toThrow(
      /^The store postgres:\/\/127\.0\.0\.1:\d+\/\w+ cannot be opened: PgBouncer, or another pooler, .+ session mode\.$/,
    );
    await expect(openLocks(url)).rejects.toThrow(
      'PgBouncer, or another pooler, answers in transaction or statement mode',
    );
  });
});
