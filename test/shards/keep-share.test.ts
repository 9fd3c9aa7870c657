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

const SECOND: Shard = { id: 1, count: 2 };

const server = process.env.TEST_POSTGRES_URL ?? '';

describe.skipIf(server === '')('the share of a process (TEST_POSTGRES_URL)', () => {
  /** A keeper beside another process, which has both shards of the bot. */
  async function besideAnother() {
    const url = await postgresSchema(server);
    const proxy = await startTcpProxy(new URL(url));
    const { log, lines } = captureLog();
    const store = await openStore({ url: proxy.url as PostgresUrl, log });
    onTestFinished(store.close);
    const installation = createInstallation(store);
    const agree = (setting: number) =>
      installation.agree({
        applicationId: '1',
        setting,
        recommended: setting,
        alone: true,
        identifies: 1_000,
        log,
      });
    await agree(2);

    const [own, other] = await Promise.all([openLocks(url), openLocks(url)]);
    onTestFinished(other.close);
    await Promise.all([own.share(PROCESS), other.share(PROCESS)]);
    for (const shard of [{ id: 0, count: 2 }, SECOND]) await other.tryLock(shardKey(shard));

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
    return { keeper, other, begun, clock, proxy, lines, agree };
  }

  test('a shard that it locked while the store was away is not kept from everybody', async () => {
    const { other, begun, clock, proxy, lines } = await besideAnother();
    await other.unlock(shardKey(SECOND));
    await clock.advance(1_000);
    await expect.poll(() => clock.asleep, { message: 'it has locked the shard that is free' }).toBe(2);
    proxy.refuse();
    await clock.advance(1_000);
    const stays = () => lines.some((line) => line.includes('the shards stay as they are for now'));
    await until(stays, 'the store is away');
    const locked = async () => (await other.look()).filter(({ key }) => key === shardKey(SECOND));
    expect(await locked()).toEqual([]);

    proxy.recover();
    const begins = async () => {
      await clock.advance(1_000);
      return begun.length > 0;
    };
    await until(begins, 'it serves the shard');
    expect(begun).toEqual([SECOND]);
  });

  test('it does not say that others serve every shard once there are more than they serve', async () => {
    const { keeper, other, clock, agree } = await besideAnother();
    expect(keeper.isSpare()).toBe(true);
    await agree(4);
    const isSpare = async () => {
      await clock.advance(1_000);
      // The other lives on: its session would end where it asks nothing.
      await other.look();
      return keeper.isSpare();
    };
    await expect.poll(isSpare).toBe(false);
  });
});
