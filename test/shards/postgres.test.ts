import { describe, expect, test } from 'vitest';
import { CHANNEL } from '../../packages/local-discord/test/support/local-discord.ts';
import { postgresSchema } from '../support/postgres.ts';
import { createShardWorld, SECOND_SHARD_CHANNEL } from '../support/shard-world.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

describe.skipIf(server === '')('processes on one PostgreSQL (TEST_POSTGRES_URL)', () => {
  test('one process serves every shard, and gives up its surplus to a second one, which gives back what it leaves', async () => {
    const { startProcess, serve, imagine, discord } = await createShardWorld(await postgresSchema(server));
    const first = await startProcess();
    await serve([first, 2]);
    const second = await startProcess();
    await serve([first, 1], [second, 1]);
    const jobs = await Promise.all([CHANNEL, SECOND_SHARD_CHANNEL].map(imagine));
    for (const { ended } of jobs) expect((await ended()).attachments).toHaveLength(1);
    await first.stop();
    await serve([second, 2]);
    expect(discord.gateway.shards()).toEqual([0, 1]);
  });
});
