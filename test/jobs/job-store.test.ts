import { createVault } from '@darkroom/storage';
import { DAY_MS, HOUR_MS } from '@darkroom/time';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore, type JobStore } from '../../src/jobs/job-store.ts';
import { isOfShard, type Shard } from '../../src/jobs/shard.ts';
import type { Store } from '../../src/storage/store.ts';
import { aJob } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const KEY = 'ab'.repeat(32);
const SECRETS = { apiKey: `sk-${'0'.repeat(48)}`, interactionToken: 'a token' };

/** `store`, whose writes stop after `writes` of them, as where the process dies. */
function dyingAfter(writes: number, store: Store): Store {
  let left = writes;
  const orDie = <Result>(write: () => Promise<Result>) =>
    left-- > 0 ? write() : Promise.reject(new Error('the process died'));
  return {
    ...store,
    write: (rows) => orDie(() => store.write(rows)),
    insert: (rows) => orDie(() => store.insert(rows)),
    take: (...taken) => orDie(() => store.take(...taken)),
    delete: (keys) => orDie(() => store.delete(keys)),
    collection(name, schema) {
      const rows = store.collection(name, schema);
      return { ...rows, delete: (id) => orDie(() => rows.delete(id)) };
    },
  };
}

async function jobStoreWorld(keys: [string, ...string[]] = [KEY]) {
  const world = await createStoreWorld();
  const open = (store: Store) => createJobStore({ store, vault: createVault(keys) });
  return { ...world, open, jobs: open(world.store) };
}

test('a job is found as it was written, and is unfinished until it is over', async () => {
  const { jobs } = await jobStoreWorld();
  await jobs.create(aJob());
  expect(await jobs.find(aJob().id)).toEqual(aJob());
  expect(await jobs.unfinished()).toEqual([aJob()]);
  for (const state of ['delivering', 'waiting'] as const) {
    await jobs.save(aJob({ state }));
    expect(await jobs.unfinished()).toEqual([aJob({ state })]);
  }
  await jobs.saveAndSettle(aJob({ state: 'delivered' }));
  expect(await jobs.unfinished()).toEqual([]);
  expect(await jobs.find(aJob().id)).toEqual(aJob({ state: 'delivered' }));
});

test('a job is created by one write, with everything by which it is found', async () => {
  for (const writes of [0, 1]) {
    const { store, open, jobs } = await jobStoreWorld();
    const created = open(dyingAfter(writes, store)).create(aJob());
    await created.catch(() => undefined);
    const left = writes === 1 ? [aJob()] : [];
    expect(await jobs.unfinished()).toEqual(left);
    expect((await jobs.page(aJob().member.id, { limit: 5 })).jobs).toEqual(left);
  }
});

test('discarding what was perhaps not written leaves an earlier job of the same id', async () => {
  const { jobs } = await jobStoreWorld();
  await jobs.create(aJob());
  await jobs.discard(aJob({ createdAt: aJob().createdAt + 1 }));
  expect(await jobs.unfinished()).toEqual([aJob()]);
  await jobs.discard(aJob());
  expect(await jobs.find(aJob().id)).toBeUndefined();
  expect(await jobs.unfinished()).toEqual([]);
});

test('a job whose id is known is not created again', async () => {
  const { jobs } = await jobStoreWorld();
  expect(await jobs.create(aJob())).toBe(true);
  await jobs.saveAndSettle(aJob({ state: 'delivered' }));
  expect(await jobs.create(aJob())).toBe(false);
  expect(await jobs.find(aJob().id)).toEqual(aJob({ state: 'delivered' }));
  expect(await jobs.unfinished()).toEqual([]);
});

test('of a job that goes on its own row alone is written, and those by which it is found where they change', async () => {
  const { store, jobs, open } = await jobStoreWorld();
  await jobs.create(aJob());
  let written = 0;
  const counting: Store = {
    ...store,
    async write(rows) {
      written += rows.length;
    },
  };
  const { save } = open(counting);
  const rowsOf = async (saved: Job, before?: Job) => {
    written = 0;
    await save(saved, before);
    return written;
  };
  const delivering = aJob({ state: 'delivering' });
  const waiting = aJob({ state: 'waiting' });
  expect(await rowsOf(delivering, aJob())).toBe(1);
  // They expire then, from a new moment each time, and no longer.
  expect(await rowsOf(waiting, delivering)).toBe(3);
  expect(await rowsOf(waiting, waiting)).toBe(3);
  expect(await rowsOf(delivering, waiting)).toBe(3);
  expect(await rowsOf(aJob({ guildId: '300000000000000002' }), aJob())).toBe(3);
  expect(await rowsOf(delivering)).toBe(3);
});

test('what comes late for a job that is forgotten, or that another process has brought further, is refused', async () => {
  const { jobs } = await jobStoreWorld();
  await expect(jobs.saveLate(aJob())).rejects.toThrow('another process has gone on');
  expect(await jobs.find(aJob().id)).toBeUndefined();
  await jobs.create(aJob());
  await jobs.saveLate(aJob({ deadlineAt: 7 }));
  expect(await jobs.find(aJob().id)).toEqual(aJob({ deadlineAt: 7 }));
  for (const state of ['waiting', 'delivered'] as const) {
    await jobs.save(aJob({ state }));
    await expect(jobs.saveLate(aJob())).rejects.toThrow('another process has gone on');
    expect(await jobs.find(aJob().id)).toEqual(aJob({ state }));
  }
});

test('shards that are taken together share one listing of what is unfinished', async () => {
  const { store, jobs, open } = await jobStoreWorld();
  const shards = Array.from({ length: 10 }, (_, id): Shard => ({ id, count: 10 }));
  const left = shards.map(({ id }) =>
    aJob({
      id: `${100_000_000_000_000_000n + BigInt(id)}`,
      guildId: `${(300_000_000_000n + BigInt(id)) << 22n}`,
    }),
  );
  for (const job of left) await jobs.create(job);
  let listings = 0;
  const counting: Store = {
    ...store,
    collection(name, schema, options) {
      const rows = store.collection(name, schema, options);
      const list: typeof rows.list = (listed) => {
        listings += 1;
        return rows.list(listed);
      };
      return { ...rows, list };
    },
  };
  const { unfinished } = open(counting);
  const taken = () => shards.map((shard) => unfinished((guildId) => isOfShard(shard, { guildId })));
  expect(await Promise.all(taken())).toEqual(left.map((job) => [job]));
  expect(listings).toBe(1);
  await Promise.all(taken());
  expect(listings).toBe(2);
});

test('of unfinished jobs a process reads those of its own servers, and of direct messages where they are its own', async () => {
  const { jobs } = await jobStoreWorld();
  const [here, there, direct] = [
    aJob({ guildId: '400000000000000001' }),
    aJob({ id: '100000000000000002', guildId: '400000000000000002' }),
    aJob({ id: '100000000000000003', guildId: null }),
  ] as const;
  for (const job of [here, there, direct]) await jobs.create(job);
  expect(await jobs.unfinished((guildId) => guildId === here.guildId)).toEqual([here]);
  expect(await jobs.unfinished((guildId) => guildId === null)).toEqual([direct]);
  await jobs.saveAndSettle({ ...there, state: 'waiting', waitReason: 'refused', guildId: null });
  expect(await jobs.unfinished((guildId) => guildId === null)).toHaveLength(2);
});

/** A job that counts as an open request of its member, until it is over or discarded. */
const taken = { key: 'open', per: 'request', amount: 1, limit: 5, expires: Date.now() + HOUR_MS } as const;
const countedJob = (changes: Partial<Job> = {}) => aJob({ reservations: [taken], ...changes });
const createCounted = (jobs: JobStore) =>
  jobs.create(countedJob(), { reservations: [{ ...taken, limited: 'member' }] });

test('a process that dies while a job ends leaves its end to the next, or nothing, and what it took is given back once', async () => {
  const delivered = countedJob({ state: 'delivered' });
  for (const writes of [0, 1, 2, 3]) {
    const { store, open, jobs } = await jobStoreWorld();
    await createCounted(jobs);
    await expect(open(dyingAfter(writes, store)).saveAndSettle(delivered)).rejects.toThrow();
    const left = await jobs.unfinished();
    expect(left).toEqual(writes < 2 ? [countedJob()] : []);
    for (const job of left) await jobs.saveAndSettle({ ...job, state: 'delivered' });
    expect(await store.counted([taken.key])).toEqual([0]);
    expect(await jobs.find(aJob().id)).toEqual(aJob({ state: 'delivered' }));
  }
});

test('a process that dies while a job is discarded leaves it to be discarded again, and what it took is given back once', async () => {
  for (const writes of [0, 1]) {
    const { store, open, jobs } = await jobStoreWorld();
    await createCounted(jobs);
    await expect(open(dyingAfter(writes, store)).discard(countedJob())).rejects.toThrow();
    await jobs.discard(countedJob());
    expect(await store.counted([taken.key])).toEqual([0]);
    expect(await jobs.unfinished()).toEqual([]);
  }
});

test('a damaged row does not keep the others from going on', async () => {
  const { jobs, sql, logged } = await jobStoreWorld();
  const other = aJob({ id: '100000000000000002' });
  await jobs.create(aJob());
  await jobs.create(other);
  await sql("UPDATE bot_rows SET value = 'garbage' WHERE key LIKE 'jobs:%1'");
  expect(await jobs.unfinished()).toEqual([other]);
  expect(logged).toHaveLength(1);
});

test('rows by which jobs are found may be damaged, and still find them', async () => {
  const { jobs, sql } = await jobStoreWorld();
  await jobs.create(aJob());
  await sql("UPDATE bot_rows SET value = 'garbage' WHERE key LIKE 'unfinished:%' OR key LIKE 'members:%'");
  expect((await jobs.page(aJob().member.id, { limit: 5 })).jobs).toEqual([aJob()]);
  expect(await jobs.unfinished((guildId) => guildId !== aJob().guildId)).toEqual([]);
  expect(await jobs.unfinished()).toEqual([aJob()]);
});

test('jobs that are created at once are all listed', async () => {
  const { jobs } = await jobStoreWorld();
  const ids = Array.from({ length: 8 }, (_, index) => `${100000000000000000n + BigInt(index)}`);
  await Promise.all(ids.map((id) => jobs.create(aJob({ id }))));
  const { jobs: all } = await jobs.page(aJob().member.id, { limit: 10 });
  expect(all.map(({ id }) => id).toSorted()).toEqual(ids);
});

test('pictures are saved byte for byte until their job is over', async () => {
  const { jobs } = await jobStoreWorld();
  const pictures = [{ task: 0, contentType: 'image/png', bytes: new Uint8Array([0, 255, 128, 10]) }];
  await jobs.create(aJob());
  await jobs.savePictures(aJob(), pictures);
  const [kept] = (await jobs.loadPictures(aJob().id)) ?? [];
  expect(kept).toMatchObject({ task: 0, contentType: 'image/png' });
  expect([...(kept?.bytes ?? [])]).toEqual([0, 255, 128, 10]);
  await jobs.saveAndSettle(aJob({ state: 'delivered' }));
  expect(await jobs.loadPictures(aJob().id)).toBeUndefined();
});

test('an outcome waits for its member for thirty days, then nothing is left of it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const day = DAY_MS;
  const { jobs } = await jobStoreWorld();
  await jobs.create(aJob());
  const picture = { task: 0, contentType: 'image/png', bytes: new Uint8Array([1]) };
  const waiting = aJob({ state: 'waiting', endedAt: Date.now(), secrets: SECRETS });
  await jobs.savePictures(waiting, [picture]);
  await jobs.saveAndSettle(waiting);
  vi.setSystemTime(Date.now() + 29 * day);
  expect(await jobs.find(aJob().id)).toMatchObject({ state: 'waiting' });
  expect(await jobs.loadPictures(aJob().id)).toHaveLength(1);
  // It was to be shown, and Discord did not confirm it.
  await jobs.savePictures(waiting, [picture]);
  await jobs.save(waiting);
  vi.setSystemTime(Date.now() + 2 * day);
  expect(await jobs.find(aJob().id)).toBeUndefined();
  expect(await jobs.unfinished()).toEqual([]);
  expect(await jobs.loadPictures(aJob().id)).toBeUndefined();
});

test('a row in which the reservations are claims, as in every store, gives back what was not drawn', async () => {
  const { store, jobs, sql } = await jobStoreWorld();
  await store.take([{ ...taken, ttl: HOUR_MS }]);
  await jobs.create(aJob());
  const claims = JSON.stringify([taken]);
  await sql(
    "UPDATE bot_rows SET value = json_set(value, '$.value.claims', json(?)) WHERE key LIKE 'jobs:%'",
    claims,
  );
  const [found = aJob()] = await jobs.unfinished();
  await jobs.saveAndSettle({ ...found, state: 'delivered' });
  expect(await store.counted(['open'])).toEqual([0]);
});

test('secrets are sealed for their own job, and the file holds none of them in clear', async () => {
  const { jobs, sql } = await jobStoreWorld();
  const other = '100000000000000002';
  await jobs.create(aJob({ secrets: SECRETS }));
  await jobs.create(aJob({ id: other }));
  expect((await jobs.find(aJob().id))?.secrets).toEqual(SECRETS);
  expect((await jobs.find(other))?.secrets).toBeUndefined();
  const rows = await sql('SELECT * FROM bot_rows');
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(rows)).not.toContain(secret);
  const sealed = "(SELECT json_extract(value, '$.value.secrets') FROM bot_rows WHERE key LIKE 'jobs:%1')";
  await sql(
    `UPDATE bot_rows SET value = json_set(value, '$.value.secrets', ${sealed}) WHERE key LIKE 'jobs:%2'`,
  );
  expect((await jobs.find(aJob().id))?.secrets).toEqual(SECRETS);
  expect(await jobs.find(other)).toEqual(aJob({ id: other }));
});

test('secrets whose key is lost are no secrets, and break nothing', async () => {
  const { store, jobs, sql } = await jobStoreWorld();
  await jobs.create(aJob({ secrets: SECRETS }));
  const later = createJobStore({ store, vault: createVault(['cd'.repeat(32)]) });
  expect(await later.find(aJob().id)).toEqual(aJob());
  await sql(
    "UPDATE bot_rows SET value = json_set(value, '$.value.secrets', 'garbage') WHERE key LIKE 'jobs:%'",
  );
  expect(await jobs.find(aJob().id)).toEqual(aJob());
});
