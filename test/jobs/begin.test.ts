import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '@darkroom/image-api';
import { silentLog } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { JobWriteError } from '../../src/jobs/run.ts';
import { ServiceDownError } from '../../src/jobs/service-calls/circuit-breaker.ts';
import { ONLY_SHARD, ShardLostError } from '../../src/jobs/shard.ts';
import { writeInTime } from '../../src/jobs/write-new-job.ts';
import { aJob } from '../support/job.ts';
import { acknowledge, CALLER, callerOf, createJobWorld, DELIVERED, request } from '../support/job-world.ts';

const { id } = CALLER.interaction;
const never = () => new Promise<never>(() => undefined);

test('a process that dies before the interaction is acknowledged leaves a job that is explained, not paid for', async () => {
  const world = await createJobWorld();
  const dying = await world.startTracker();
  void dying.tracker.begin(request(), never);
  await world.pass(async () => (await dying.jobs.find(id))?.state === 'asked');
  const next = await world.startTracker();
  expect(await next.tracker.resume()).toBe(1);
  await world.untilState(next.jobs, id, 'failed');
  expect(world.submissions).toHaveLength(0);
  expect(world.delivered[0]?.job.tasks[0]).toMatchObject({ failure: { kind: 'restarted' } });
});

test('the rows by which a job is found are written when it begins and when it ends, and not in between', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  await world.sql('CREATE TABLE updated (key TEXT)');
  await world.sql(
    'CREATE TRIGGER upserted AFTER UPDATE ON bot_rows BEGIN INSERT INTO updated VALUES (new.key); END',
  );
  await tracker.begin(request(), acknowledge);
  await world.untilState(jobs, id, 'delivered');
  const keys = (await world.sql('SELECT key FROM updated')).map(({ key }) => `${key}`);
  expect(keys.filter((key) => key === `jobs:${id}`).length).toBeGreaterThan(2);
  expect(keys.filter((key) => key.startsWith('members:'))).toHaveLength(1);
  expect(keys.filter((key) => key.startsWith('unfinished:'))).toHaveLength(0);
});

test('a job whose shard is another process’s before its interaction is acknowledged is begun by that one', async () => {
  const world = await createJobWorld();
  const lockJob = async () => async () => undefined;
  const [one, other] = [
    await world.startTracker(undefined, undefined, lockJob),
    await world.startTracker(undefined, undefined, lockJob),
  ];
  await one.tracker.begin(request(), async () => {
    await one.tracker.release(ONLY_SHARD);
    expect(await other.tracker.resume()).toBe(1);
    await world.clock.advance(2_000);
    return acknowledge();
  });
  await world.pass(() => world.delivered.length === 1);
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ state: 'completed' }]);
  expect(world.submissions).toHaveLength(1);
});

test('a job of a shard that its process no longer follows is refused, and nothing is left of it', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  await tracker.release(ONLY_SHARD);
  await expect(tracker.begin(request(), acknowledge)).rejects.toBeInstanceOf(ShardLostError);
  expect(await jobs.find(id)).toBeUndefined();
});

test('a job that begins while its shard is already another process’s, unknown to its own, is begun by that one', async () => {
  const world = await createJobWorld();
  const lockJob = async () => async () => undefined;
  const [one, other] = [
    await world.startTracker(undefined, undefined, lockJob),
    await world.startTracker(undefined, undefined, lockJob),
  ];
  expect(await other.tracker.resume()).toBe(0);
  await one.tracker.begin(request(), async () => {
    await one.tracker.release(ONLY_SHARD);
    return acknowledge();
  });
  await world.pass(() => world.delivered.length === 1);
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ state: 'completed' }]);
  expect(world.submissions).toHaveLength(1);
});

test('a process that dies before its interaction is acknowledged is waited for by another one for seconds', async () => {
  const world = await createJobWorld();
  const lockJob = async () => async () => undefined;
  const dying = await world.startTracker(undefined, undefined, lockJob);
  void dying.tracker.begin(request(), never);
  await world.pass(async () => (await dying.jobs.find(id))?.state === 'asked');
  const next = await world.startTracker(undefined, undefined, lockJob);
  const from = world.clock.now();
  expect(await next.tracker.resume()).toBe(1);
  await world.untilState(next.jobs, id, 'failed');
  expect(world.clock.now() - from).toBeLessThan(60_000);
  expect(world.submissions).toHaveLength(0);
});

test('an interaction that is not acknowledged leaves nothing behind, and nothing is submitted', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  const tooLate = new Error('Unknown interaction');
  await expect(tracker.begin(request(), () => Promise.reject(tooLate))).rejects.toBe(tooLate);
  expect(await jobs.find(id)).toBeUndefined();
  expect(await jobs.unfinished()).toEqual([]);
  await world.clock.advance(60_000);
  expect(world.submissions).toHaveLength(0);
});

test('a process that is stopped while an interaction is acknowledged leaves a job that goes on', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  const stopping = { done: Promise.resolve() };
  await tracker.begin(request(), async () => {
    stopping.done = tracker.stop();
    return acknowledge();
  });
  await stopping.done;
  expect(await jobs.find(id)).toMatchObject({
    state: 'developing',
    reply: { messageId: await acknowledge() },
  });
  const next = await world.resumeJobs();
  await world.untilState(next.jobs, id, 'delivered');
  expect(world.submissions).toHaveLength(1);
});

test('a shard that is taken up anew while an interaction is acknowledged has its job begin once', async () => {
  const world = await createJobWorld();
  const { tracker } = await world.startTracker();
  await tracker.begin(request(), async () => {
    await tracker.release(ONLY_SHARD);
    tracker.follow(ONLY_SHARD);
    await tracker.resume(ONLY_SHARD);
    return acknowledge();
  });
  await world.pass(() => world.delivered.length === 1);
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ state: 'completed' }]);
  expect(world.submissions).toHaveLength(1);
});

test('a job that is resumed after its deadline is not submitted', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  await tracker.begin(request(), async () => {
    void tracker.stop();
    return acknowledge();
  });
  await world.clock.advance(31 * 60_000);
  await world.resumeJobs();
  await world.untilState(jobs, id, 'failed');
  expect(world.submissions).toHaveLength(0);
});

test('an unconfirmed outcome is tried again after five minutes', async () => {
  const world = await createJobWorld({
    deliver: () => Promise.resolve({ state: 'waiting', reason: 'unconfirmed' }),
  });
  const { jobs } = await world.beginJob();
  await world.pass(() => world.clock.sleeps.includes(5 * 60_000));
  expect(await jobs.find(id)).toMatchObject({ state: 'waiting', waitReason: 'unconfirmed' });
  world.service.deliver = () => Promise.resolve(DELIVERED);
  await world.clock.advance(5 * 60_000);
  await world.untilState(jobs, id, 'delivered');
  expect(world.delivered).toHaveLength(2);
  expect(world.delivered[1]?.pictures).toHaveLength(1);
});

test('a refused outcome waits for its member, and is not tried again, not by the next process either', async () => {
  const world = await createJobWorld({
    deliver: () => Promise.resolve({ state: 'waiting', reason: 'refused' }),
  });
  const { jobs } = await world.beginJob();
  await world.untilState(jobs, id, 'waiting');
  await world.clock.advance(HOUR_MS);
  const next = await world.startTracker();
  expect(await next.tracker.resume()).toBe(0);
  await world.clock.advance(HOUR_MS);
  expect(world.delivered).toHaveLength(1);
  expect(await jobs.find(id)).toMatchObject({ state: 'waiting' });
});

test('while the image service is down a job does not begin, and nothing is left of it', async () => {
  const world = await createJobWorld({
    submit: () => Promise.reject(new ServiceError('unreachable', 'no connection')),
  });
  const { tracker, jobs } = await world.startTracker();
  for (const other of ['100000000000000003', '100000000000000004']) {
    const caller = { ...callerOf(other), member: { id: other, locale: 'en-GB' } };
    await tracker.begin(request({ caller, count: 4 }), acknowledge);
  }
  const submitted = () => new Set(world.submissions.map(({ idempotencyKey }) => idempotencyKey));
  await world.pass(() => submitted().size >= 5);
  await expect(tracker.begin(request(), never)).rejects.toBeInstanceOf(ServiceDownError);
  expect(await jobs.find(id)).toBeUndefined();
});

test.each([
  ['is written late is removed', true, 1],
  ['was there before stays, when its interaction comes once more', false, 0],
])('where the store is slow, a job that %s', async (_, created, discarded) => {
  let answer: (created: boolean) => void = () => undefined;
  let discards = 0;
  const jobs = {
    create: () =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
      }),
    async discard() {
      discards += 1;
    },
  };
  const creating = writeInTime(aJob(), { askedAt: 0, reservations: [] }, { jobs, log: silentLog() });
  await expect(creating).rejects.toBeInstanceOf(JobWriteError);
  answer(created);
  await turn();
  expect(discards).toBe(discarded);
});

test.each([
  [0, 2_500],
  [700, 1_800],
  [60_000, 1_500],
])(
  '%i ms after its interaction a job has %i ms to be written, of the three seconds of Discord',
  async (age, ms) => {
    const job = aJob();
    const jobs = { create: () => new Promise<boolean>(() => {}), async discard() {} };
    const asked = { askedAt: job.createdAt - age, reservations: [] };
    const creating = writeInTime(job, asked, { jobs, log: silentLog() });
    await expect(creating).rejects.toMatchObject({ cause: { message: `timed out after ${ms} ms` } });
  },
);
