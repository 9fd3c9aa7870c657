import { captureLog, startTcpProxy, until } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Shard } from '../../src/jobs/shard.ts';
import { createInstallation } from '../../src/shards/installation.ts';
import { createShareKeeper } from '../../src/shards/keep-share.ts';
import { openLocks, PROCESS, shardKey } from '../../src/shards/locks.ts';
import { openStore } from '../../src/storage/store.ts';
import type { PostgresUrl } from '../../src/storage/store-url.ts';
import { postgresSchema } from '../support/postgres.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

describe.skipIf(server === '')('the share of a process (TEST_POSTGRES_URL)', () => {
  test('a shard that it locked while the store was away is not kept from everybody', async () => {
    const url = await postgresSchema(server);
    const proxy = await startTcpProxy(new URL(url));
    const { log, lines } = captureLog();
    const store = await openStore({ url: proxy.url as PostgresUrl, log });
    onTestFinished(store.close);
    const installation = createInstallation(store);
    await installation.agree({
      applicationId: '1',
      setting: 2,
      recommended: 2,
      alone: true,
      identifies: 1_000,
      log,
    });

    const free: Shard = { id: 1, count: 2 };
    const [own, other] = await Promise.all([openLocks(url), openLocks(url)]);
    onTestFinished(other.close);
    await Promise.all([own.share(PROCESS), other.share(PROCESS)]);
    for (const shard of [{ id: 0, count: 2 }, free]) await other.tryLock(shardKey(shard));

    const begun: Shard[] = [];
    const clock = createFakeClock();
    const keeper = createShareKeeper({
      own: { current: own, reopen: () => openLocks(url) },
      installation,
      work: {
        begin: async (shard) => void begun.push(shard),
        end: async () => {},
        suspend: () => {},
        connected: () => begun,
      },
      allowMove: async () => true,
      onProcesses: () => {},
      log,
      clock,
    });
    onTestFinished(keeper.stop);
    await keeper.start();
    await expect.poll(() => clock.asleep, { message: 'it looks again in a second' }).toBe(1);
    await other.unlock(shardKey(free));
    await clock.advance(1_000);
    await expect.poll(() => clock.asleep, { message: 'it has locked the shard that is free' }).toBe(2);
    proxy.refuse();
    await clock.advance(1_000);
    const stays = () => lines.some((line) => line.includes('the shards stay as they are for now'));
    await until(stays, 'the store is away');
    const locked = async () => (await other.look()).filter(({ key }) => key === shardKey(free));
    expect(await locked()).toEqual([]);

    proxy.recover();
    const begins = async () => {
      await clock.advance(1_000);
      return begun.length > 0;
    };
    await until(begins, 'it serves the shard');
    expect(begun).toEqual([free]);
  });
});
