import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import type { Whereabouts } from '../../src/jobs/delivery.ts';
import type { Job } from '../../src/jobs/job.ts';
import { createDeferred } from '../support/deferred.ts';
import { aJob, TASKS } from '../support/job.ts';
import { acknowledge, createJobWorld, DELIVERED, request, type Script } from '../support/job-world.ts';
import { A_KEY } from '../support/polite-service.ts';
import { working } from '../support/poll-world.ts';

const MINUTE = 60_000;
const { id } = request();

const SECRETS = { apiKey: A_KEY, interactionToken: 'aW50ZXJhY3Rpb246token' };

/** A tracker that finds `left` in the store, as a process that died has written it. */
async function leftWorld(left: Partial<Job>, script: Partial<Script> = {}) {
  const world = await createJobWorld(script);
  const { tracker, jobs } = await world.startTracker();
  await jobs.add(aJob({ secrets: jobs.seal(id, SECRETS), ...left }));
  return { ...world, tracker, jobs };
}

const unsure = () => Promise.resolve({ state: 'waiting', unsure: true } as const);

test('until it is known that nothing has arrived a job is followed, but nothing of it is shown', async () => {
  const answer = createDeferred<Whereabouts>();
  let polls = 0;
  const status = () => {
    polls += 1;
    return Promise.resolve(working);
  };
  const world = await leftWorld({ tasks: [TASKS.following] }, { find: () => answer.promise, status });
  await world.tracker.resume();
  await world.pass(() => polls > 3);
  expect(world.shown).toEqual([]);
  answer.resolve('nowhere');
  await world.pass(() => world.shown.length > 0);
});

test('Discord is asked again, ever more slowly, while it does not say whether anything has arrived', async () => {
  let asked = 0;
  const find = () => (++asked < 6 ? Promise.reject(new Error('503')) : Promise.resolve('nowhere' as const));
  const world = await leftWorld({ state: 'delivering' }, { find });
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'delivered');
  expect(asked).toBe(6);
  const waits = world.clock.sleeps.filter((ms) => [750, 1_500, 3_000, 6_000, 12_000].includes(ms));
  expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000]);
});

test.each(['developing', 'delivering', 'waiting'] as const)(
  'an outcome that has arrived settles a job that is %s, whatever becomes of its tasks',
  async (state) => {
    const world = await leftWorld(
      { state, tasks: [state === 'developing' ? TASKS.following : TASKS.completed], unsure: true },
      {
        find: () => Promise.resolve(DELIVERED),
        status: () => Promise.reject(new ServiceError('not-found', 'gone')),
        download: () => Promise.reject(new ServiceError('not-found', 'gone')),
      },
    );
    await world.tracker.resume();
    await world.untilState(world.jobs, id, 'delivered');
    expect(world.delivered).toEqual([]);
    expect(await world.jobs.find(id)).toMatchObject({ posted: { messageId: DELIVERED.messageId } });
  },
);

test('nothing is submitted for a job whose member was told how it ended', async () => {
  const told = createDeferred<Whereabouts>();
  const other = '100000000000000002';
  const find = (job: Job) => (job.id === id ? told.promise : Promise.resolve('nowhere' as const));
  const world = await leftWorld({ tasks: [TASKS.planned] }, { find });
  const left = await world.jobs.find(id);
  if (left) await world.jobs.add({ ...left, id: other, secrets: world.jobs.seal(other, SECRETS) });
  await world.tracker.resume();
  await world.untilState(world.jobs, other, 'delivered');
  told.resolve(DELIVERED);
  await world.untilState(world.jobs, id, 'failed');
  expect(world.submissions).toHaveLength(1);
});

test('while Discord does not answer, a paid task is fetched, and one that was not submitted ends at the deadline', async () => {
  let fetched = 0;
  const world = await leftWorld(
    { tasks: [TASKS.following, TASKS.planned] },
    { find: () => Promise.reject(new Error('503')) },
  );
  const { download } = world.service;
  world.service.download = (url) => {
    fetched += 1;
    return download(url);
  };
  await world.tracker.resume();
  await world.pass(() => fetched === 1);
  await world.clock.advance(30 * MINUTE);
  await world.untilState(world.jobs, id, 'delivering');
  await world.clock.advance(11 * MINUTE);
  await world.untilState(world.jobs, id, 'waiting');
  const { tasks } = (await world.jobs.find(id)) ?? {};
  expect(tasks).toMatchObject([{ state: 'completed' }, { failure: { kind: 'restarted' } }]);
  expect(await world.jobs.kept(id)).toHaveLength(1);
  expect(world.submissions).toEqual([]);
});

test('a task that was not submitted yet can be withdrawn while Discord does not answer', async () => {
  const world = await leftWorld({ tasks: [TASKS.planned] }, { find: () => Promise.reject(new Error('503')) });
  await world.tracker.resume();
  expect(await world.tracker.cancel(id)).toBe(true);
  await world.untilState(world.jobs, id, 'delivering');
  expect(await world.jobs.find(id)).toMatchObject({ tasks: [{ failure: { kind: 'withdrawn' } }] });
  expect(world.submissions).toEqual([]);
});

test('a picture of which nobody can find out whether it arrived waits for its member, and is not sent by itself', async () => {
  const world = await leftWorld({ state: 'delivering' }, { find: () => Promise.resolve('unknown') });
  const { download } = world.service;
  world.service.download = () => {
    world.service.download = download;
    return Promise.reject(new ServiceError('broken', '503'));
  };
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'waiting');
  expect(world.shown).toEqual([]);
  expect(await world.jobs.find(id)).toMatchObject({ unsure: true, unseen: true });
  await world.clock.advance(20 * MINUTE);
  const next = await world.startTracker();
  expect(await next.tracker.resume()).toBe(0);
  expect(world.delivered).toEqual([]);
});

test('a job of which nothing was to be sent yet goes on where nobody can look', async () => {
  const world = await leftWorld({ tasks: [TASKS.following] }, { find: () => Promise.resolve('unknown') });
  await world.tracker.resume();
  await world.untilState(world.jobs, id, 'delivered');
});

test('a picture whose place Discord does not tell for ten minutes is kept, and tried again', async () => {
  const find = () => Promise.reject(new Error('503'));
  const world = await leftWorld({ state: 'delivering' }, { find });
  await world.tracker.resume();
  await world.pass(() => world.clock.now() > aJob().createdAt + MINUTE);
  await world.clock.advance(10 * MINUTE);
  await world.untilState(world.jobs, id, 'waiting');
  expect(await world.jobs.kept(id)).toHaveLength(1);
  world.service.find = () => Promise.resolve('nowhere');
  await world.clock.advance(5 * MINUTE);
  await world.untilState(world.jobs, id, 'delivered');
});

test('what is unsure is tried again every five minutes until it is a day old', async () => {
  const world = await leftWorld({ state: 'delivering' }, { deliver: unsure });
  const old = '100000000000000002';
  const dayAgo = aJob().createdAt - 24 * 60 * MINUTE;
  await world.jobs.add(aJob({ id: old, state: 'delivering', createdAt: dayAgo }));
  await world.tracker.resume();
  const tries = (wanted: string) =>
    world.logged.filter(({ msg, job }) => `${msg}`.includes('waits for its member') && job === wanted).length;
  for (const expected of [1, 2, 3]) {
    await world.pass(() => tries(id) === expected && tries(old) > 0);
    await world.clock.advance(5 * MINUTE);
  }
  expect(tries(old)).toBe(1);
});

test('a job whose row cannot be read when it is due is tried again five minutes later', async () => {
  const world = await leftWorld({ state: 'delivering' }, { deliver: unsure });
  await world.tracker.resume();
  await world.pass(() => world.logged.some(({ msg }) => `${msg}`.includes('waits for its member')));
  await world.sql('ALTER TABLE jobs RENAME TO elsewhere');
  await world.clock.advance(5 * MINUTE);
  await world.pass(() => world.logged.some(({ msg }) => `${msg}`.includes('could not be read')));
  await world.sql('ALTER TABLE elsewhere RENAME TO jobs');
  world.service.deliver = () => Promise.resolve(DELIVERED);
  await world.clock.advance(5 * MINUTE);
  await world.untilState(world.jobs, id, 'delivered');
});

test('the end of a job is written as soon as the store takes it again', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker, jobs } = await world.startTracker();
  await tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.length > 1);
  const arriving = createDeferred<typeof DELIVERED>();
  world.service.deliver = () => arriving.promise;
  world.service.status = () =>
    Promise.resolve({ ...working, state: 'completed', imageUrl: 'https://i.example/1.png' });
  await world.untilState(jobs, id, 'delivering');
  await world.sql("CREATE TRIGGER full BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  arriving.resolve(DELIVERED);
  await world.pass(
    () => world.logged.filter(({ msg }) => `${msg}`.includes('could not be written')).length > 3,
  );
  await world.sql('DROP TRIGGER full');
  await world.untilState(jobs, id, 'delivered');
  expect(world.delivered).toHaveLength(1);
});

test('a store that stays broken holds a picture back for half a minute, not for ever', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker } = await world.startTracker();
  await tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.length > 1);
  await world.sql("CREATE TRIGGER full BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  world.service.status = () =>
    Promise.resolve({ ...working, state: 'completed', imageUrl: 'https://i.example/1.png' });
  const brokenAt = world.clock.now();
  await world.pass(() => world.delivered.length === 1);
  expect(world.clock.now() - brokenAt).toBeGreaterThan(30_000);
});
