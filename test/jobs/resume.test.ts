import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import type { FindResult } from '../../src/jobs/delivery-port.ts';
import type { Job } from '../../src/jobs/job.ts';
import { ONLY_SHARD } from '../../src/jobs/shard.ts';
import { aJob, TASKS } from '../support/job.ts';
import { CALLER, createJobWorld, DELIVERED, type Script } from '../support/job-world.ts';
import { completed, working } from '../support/poll-world.ts';

const { id } = CALLER.interaction;

const SECRETS = { apiKey: A_KEY, interactionToken: 'aW50ZXJhY3Rpb246token' };

/** A tracker that finds `left` in the store, as a process that died has written it. */
async function leftWorld(left: Parameters<typeof aJob>[0], script: Partial<Script> = {}) {
  const world = await createJobWorld(script);
  const { tracker, jobs } = await world.startTracker();
  await jobs.create(aJob({ secrets: SECRETS, ...left }));
  return { ...world, tracker, jobs };
}

const unconfirmed = () => Promise.resolve({ state: 'waiting', reason: 'unconfirmed' } as const);

test('until it is known that nothing has arrived a job is followed, but nothing of it is shown', async () => {
  const answer = createDeferred<FindResult>();
  let polls = 0;
  const status = () => {
    polls += 1;
    return Promise.resolve(working);
  };
  const world = await leftWorld({ tasks: [TASKS.following] }, { find: () => answer.promise, status });
  await world.tracker.resume();
  await world.pass(() => polls > 3);
  expect(world.shown).toEqual([]);
  answer.resolve({ state: 'absent' });
  await world.pass(() => world.shown.length > 0);
});

test('after a start Discord is asked of a few jobs at a time, and at once where a picture is there', async () => {
  const asked = new Set<string>();
  const COMPLETED = '100000000000000040';
  const world = await createJobWorld({
    status: (taskId) => Promise.resolve(taskId === 'completed' ? completed : working),
    find(job) {
      asked.add(job.id);
      return new Promise(() => {});
    },
  });
  const { tracker, jobs } = await world.startTracker();
  for (let job = 10; job <= 40; job += 1) {
    const taskId = job === 40 ? 'completed' : 'working';
    await jobs.create(
      aJob({ id: `1000000000000000${job}`, secrets: SECRETS, tasks: [{ ...TASKS.following, taskId }] }),
    );
  }
  await tracker.resume();
  expect(asked.size).toBeLessThanOrEqual(5);
  await world.pass(() => asked.has(COMPLETED));
  expect(asked.size).toBeLessThanOrEqual(6);
});

test('Discord is asked again, ever more slowly, while it does not say whether anything has arrived', async () => {
  const askedAt: number[] = [];
  const find = () =>
    askedAt.push(world.clock.now()) < 6
      ? Promise.reject(new Error('503'))
      : Promise.resolve({ state: 'absent' } as const);
  const world = await leftWorld({ state: 'delivering' }, { find });
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'delivered');
  expect(askedAt).toHaveLength(6);
  for (const [nth, longest] of [1_000, 2_000, 4_000, 5_000, 5_000].entries()) {
    const waitMs = Number(askedAt[nth + 1]) - Number(askedAt[nth]);
    expect(waitMs).toBeGreaterThanOrEqual(longest / 2);
    expect(waitMs).toBeLessThanOrEqual(longest);
  }
});

test.each([
  // The store took nothing more until it was shown.
  ['developing', 'submitting'],
  ['developing', 'following'],
  ['delivering', 'completed'],
  ['waiting', 'completed'],
] as const)(
  'an outcome that has arrived settles a job that is %s, with a task that is %s, whatever becomes of it',
  async (state, task) => {
    const world = await leftWorld(
      { state, tasks: [TASKS[task]], waitReason: 'unconfirmed' },
      {
        find: () => Promise.resolve({ state: 'found', message: DELIVERED.message }),
        status: () => Promise.reject(new ServiceError('not-found', 'gone')),
        download: () => Promise.reject(new ServiceError('not-found', 'gone')),
      },
    );
    await world.tracker.resume();
    await world.untilState(world.jobs, id, 'delivered');
    expect(world.delivered).toEqual([]);
    expect(await world.jobs.find(id)).toMatchObject({ posted: { messageId: DELIVERED.message.messageId } });
  },
);

test('nothing is submitted for a job whose member was told how it ended', async () => {
  const told = createDeferred<FindResult>();
  const other = '100000000000000002';
  const find = (job: Job) => (job.id === id ? told.promise : Promise.resolve({ state: 'absent' } as const));
  const world = await leftWorld({ tasks: [TASKS.planned] }, { find });
  const left = await world.jobs.find(id);
  if (left) await world.jobs.create({ ...left, id: other, secrets: SECRETS });
  await world.tracker.resume();
  await world.untilState(world.jobs, other, 'delivered');
  told.resolve({ state: 'found', message: DELIVERED.message });
  await world.untilState(world.jobs, id, 'failed');
  expect(world.submissions).toHaveLength(1);
});

test('while Discord does not answer, the picture of a paid task is downloaded, and one that was not submitted ends at the deadline', async () => {
  let fetched = 0;
  const world = await leftWorld(
    { tasks: [TASKS.following, TASKS.planned] },
    { find: () => Promise.reject(new Error('503')) },
  );
  const { download } = world.service;
  world.service.download = (url, options) => {
    fetched += 1;
    return download(url, options);
  };
  await world.tracker.resume();
  await world.pass(() => fetched === 1);
  await world.clock.advance(30 * MINUTE_MS);
  await world.untilState(world.jobs, id, 'delivering');
  await world.clock.advance(11 * MINUTE_MS);
  await world.untilState(world.jobs, id, 'waiting');
  const { tasks } = (await world.jobs.find(id)) ?? {};
  expect(tasks).toMatchObject([{ state: 'completed' }, { failure: { kind: 'restarted' } }]);
  expect(await world.jobs.loadPictures(id)).toHaveLength(1);
  expect(world.submissions).toEqual([]);
});

test('a task that was not submitted yet can be withdrawn while Discord does not answer', async () => {
  const world = await leftWorld({ tasks: [TASKS.planned] }, { find: () => Promise.reject(new Error('503')) });
  await world.tracker.resume();
  void world.tracker.cancel(id, CALLER.member.id);
  await world.untilState(world.jobs, id, 'delivering');
  expect(await world.jobs.find(id)).toMatchObject({ tasks: [{ failure: { kind: 'withdrawn' } }] });
  expect(world.submissions).toEqual([]);
});

test('an unverifiable picture waits for its member, and is not sent by itself', async () => {
  const world = await leftWorld(
    { state: 'delivering' },
    { find: () => Promise.resolve({ state: 'unknown' }) },
  );
  const { download } = world.service;
  world.service.download = () => {
    world.service.download = download;
    return Promise.reject(new ServiceError('broken', '503'));
  };
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'waiting');
  expect(world.shown).toEqual([]);
  expect(await world.jobs.find(id)).toMatchObject({ waitReason: 'unverifiable' });
  await world.clock.advance(20 * MINUTE_MS);
  const next = await world.startTracker();
  expect(await next.tracker.resume()).toBe(0);
  expect(world.delivered).toEqual([]);
});

test('a job of which nothing was to be sent yet goes on where nobody can look', async () => {
  const world = await leftWorld(
    { tasks: [TASKS.following] },
    { find: () => Promise.resolve({ state: 'unknown' }) },
  );
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'delivered');
});

test('a picture whose place Discord does not tell for ten minutes is saved, and tried again', async () => {
  const find = () => Promise.reject(new Error('503'));
  const world = await leftWorld({ state: 'delivering' }, { find });
  await world.tracker.resume();
  await world.pass(() => world.clock.now() > aJob().createdAt + MINUTE_MS);
  await world.clock.advance(10 * MINUTE_MS);
  await world.untilState(world.jobs, id, 'waiting');
  expect(await world.jobs.loadPictures(id)).toHaveLength(1);
  world.service.find = () => Promise.resolve({ state: 'absent' });
  await world.clock.advance(5 * MINUTE_MS);
  await world.untilState(world.jobs, id, 'delivered');
});

test('an unconfirmed outcome is tried again every five minutes until it is a day old', async () => {
  const world = await leftWorld({ state: 'delivering' }, { deliver: unconfirmed });
  const old = '100000000000000002';
  const dayAgo = aJob().createdAt - 24 * HOUR_MS;
  await world.jobs.create(aJob({ id: old, state: 'delivering', createdAt: dayAgo }));
  await world.tracker.resume();
  const tries = (wanted: string) =>
    world.logged.filter(({ msg, job }) => `${msg}`.includes('waits for its member') && job === wanted).length;
  for (const expected of [1, 2, 3]) {
    await world.pass(() => tries(id) === expected && tries(old) > 0);
    await world.clock.advance(5 * MINUTE_MS);
  }
  expect(tries(old)).toBe(1);
});

test('a job whose row cannot be read when it is due is tried again five minutes later', async () => {
  const world = await leftWorld({ state: 'delivering' }, { deliver: unconfirmed });
  await world.tracker.resume();
  await world.pass(() => world.logged.some(({ msg }) => `${msg}`.includes('waits for its member')));
  await world.sql('ALTER TABLE bot_rows RENAME TO elsewhere');
  await world.clock.advance(5 * MINUTE_MS);
  await world.pass(() => world.logged.some(({ msg }) => `${msg}`.includes('could not be read')));
  await world.sql('ALTER TABLE elsewhere RENAME TO bot_rows');
  world.service.deliver = () => Promise.resolve(DELIVERED);
  await world.clock.advance(5 * MINUTE_MS);
  await world.untilState(world.jobs, id, 'delivered');
});

test('the end of a job is written as soon as the store takes it again, and the log tells once of what it waits for', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { jobs } = await world.beginJob();
  await world.pass(() => world.shown.length > 1);
  const arriving = createDeferred<typeof DELIVERED>();
  world.service.deliver = () => arriving.promise;
  world.service.status = () => Promise.resolve(completed);
  await world.untilState(jobs, id, 'delivering');
  await world.sql(
    "CREATE TRIGGER full BEFORE INSERT ON bot_rows BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  arriving.resolve(DELIVERED);
  const failures = () => world.logged.filter(({ msg }) => msg === 'the end of a job could not be written');
  await world.pass(() => failures().length > 0);
  const failedAt = world.clock.now();
  await world.pass(() => world.clock.now() > failedAt + MINUTE_MS);
  expect(failures()).toHaveLength(1);
  await world.sql('DROP TRIGGER full');
  await world.untilState(jobs, id, 'delivered');
  expect(world.delivered).toHaveLength(1);
});

test('a store that stays broken holds a picture back for half a minute, not for ever', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  await world.beginJob();
  await world.pass(() => world.shown.length > 1);
  await world.sql(
    "CREATE TRIGGER full BEFORE INSERT ON bot_rows BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  world.service.status = () => Promise.resolve(completed);
  const brokenAt = world.clock.now();
  await world.pass(() => world.delivered.length === 1);
  expect(world.clock.now() - brokenAt).toBeGreaterThan(30_000);
});

test.each([
  ['failed', DELIVERED],
  ['waiting', { state: 'waiting', reason: 'refused' }],
] as const)(
  'an answer to a submission that comes after the next process has the job %s changes nothing of it',
  async (state, outcome) => {
    const answer = createDeferred<{ taskId: string }>();
    const world = await createJobWorld({
      submit: (_submission, _options, nth) =>
        nth === 0 ? answer.promise : Promise.resolve({ taskId: 'again' }),
      deliver: () => Promise.resolve(outcome),
    });
    const { tracker } = await world.beginJob();
    await world.pass(() => world.submissions.length === 1);
    const released = tracker.release(ONLY_SHARD);
    const { jobs } = await world.resumeJobs();
    await world.untilState(jobs, id, state);
    const ended = await jobs.find(id);
    answer.resolve({ taskId: 'late' });
    await released;
    expect(await jobs.find(id)).toEqual(ended);
  },
);
