import { ShardClientUtil } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOfShard, ShardLostError } from '../../src/jobs/shard.ts';
import { acknowledge, callerOf, createJobWorld, request } from '../support/job-world.ts';
import { working } from '../support/poll-world.ts';

const FIRST = { id: 0, count: 2 };
const SECOND = { id: 1, count: 2 };
/** In the second of two shards: Discord counts by the bits above the lowest 22. */
const guildId = `${300_000_000_001n << 22n}`;
const id = '100000000000000002';

/** A request from that server. */
const fromGuild = () => request({ caller: { ...callerOf(id), guildId } });

test('a job belongs to one shard: that which Discord sends its server to', () => {
  fc.assert(
    fc.property(fc.bigInt(1n << 22n, (1n << 63n) - 1n), fc.integer({ min: 1, max: 500 }), (guild, count) => {
      const shards = Array.from({ length: count }, (_, id) => ({ id, count }));
      const job = { guildId: `${guild}` };
      expect(shards.filter((shard) => isOfShard(shard, job)).map(({ id }) => id)).toEqual([
        ShardClientUtil.shardIdForGuildId(job.guildId, count),
      ]);
    }),
  );
});

test('direct messages belong to the first shard', () => {
  expect(isOfShard(FIRST, { guildId: null })).toBe(true);
  expect(isOfShard(SECOND, { guildId: null })).toBe(false);
});

test('a request is begun by whoever follows its shard, and by nobody else', async () => {
  const { startTracker, submissions, delivered, pass } = await createJobWorld();
  const { tracker } = await startTracker(undefined, FIRST);
  await expect(tracker.begin(fromGuild(), acknowledge)).rejects.toBeInstanceOf(ShardLostError);
  expect(submissions).toEqual([]);
  tracker.follow(SECOND);
  await tracker.begin(fromGuild(), acknowledge);
  await pass(() => delivered.length === 1);
});

test('a shard that is released leaves its jobs to the next process, and only these', async () => {
  const { startTracker, service, shown, pass } = await createJobWorld();
  service.status = () => Promise.resolve(working);
  const { tracker, jobs } = await startTracker(undefined, FIRST);
  tracker.follow(SECOND);
  await tracker.begin(request(), acknowledge);
  await tracker.begin(fromGuild(), acknowledge);
  await pass(() => shown.length > 2);
  await tracker.release(SECOND);
  expect(await jobs.find(id)).toMatchObject({ tasks: [{ state: 'following' }] });
  tracker.follow(SECOND);
  expect(await tracker.resume(SECOND)).toBe(1);
});
