import { ServiceError, type ServiceErrorKind } from '@darkroom/image-api';
import { DAY_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { TASKS } from '../support/job.ts';
import { acknowledge, CALLER, callerOf, createJobWorld, failures, request } from '../support/job-world.ts';
import { working } from '../support/poll-world.ts';

const { id } = CALLER.interaction;

const failing = (kind: ServiceErrorKind, retryAfterMs?: number) => () =>
  Promise.reject(new ServiceError(kind, 'no', { retryAfterMs }));

/** A service that is known to support idempotency keys, with every submission since then. */
async function supportingWorld() {
  const world = await createJobWorld({ idempotencySupported: true });
  const { tracker, jobs } = await world.beginJob({ caller: callerOf('100000000000000009') });
  await world.untilState(jobs, '100000000000000009', 'delivered');
  world.submissions.length = 0;
  world.delivered.length = 0;
  return { ...world, tracker, jobs };
}

test('a repeat that certainly did not arrive does not make the first attempt certain', async () => {
  for (const kind of ['unreachable', 'busy', 'unauthorized', 'insufficient-balance'] as const) {
    const world = await supportingWorld();
    world.service.submit = (_submission, _options, nth) => failing(nth === 0 ? 'interrupted' : kind)();
    await world.tracker.begin(request(), acknowledge);
    await world.pass(() => world.delivered.length === 1);
    expect(failures(world.delivered[0]?.job)).toEqual(['unclear']);
  }
});

test('it is repeated beyond an attempt that did not arrive', async () => {
  const world = await supportingWorld();
  const answers = [failing('interrupted'), failing('unreachable'), failing('busy')];
  world.service.submit = () => answers.shift()?.() ?? Promise.resolve({ taskId: 'the same task' });
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['completed']);
  expect(world.submissions).toHaveLength(4);
  expect(new Set(world.submissions.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('what an earlier process left unanswered stays unclear where the repeat cannot be submitted', async () => {
  const world = await supportingWorld();
  world.service.submit = () => new Promise(() => undefined);
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.submissions.length === 1);
  world.service.submit = failing('unreachable');
  await world.resumeJobs();
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['unclear']);
});

test('a member who stops it while a repeat waits for its turn is told that it may be charged', async () => {
  const world = await supportingWorld();
  world.service.submit = failing('interrupted');
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'interrupted'));
  void world.tracker.cancel(id, CALLER.member.id);
  await world.pass(() => world.withdrawn.length === 1);
  expect(world.submissions).toHaveLength(1);
  expect(failures(world.withdrawn[0])).toEqual(['left']);
});

test('a member who stops it while the service has a repeat wait is told at once', async () => {
  const world = await supportingWorld();
  world.service.submit = failing('broken', 10 * 60_000);
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'broken'));
  void world.tracker.cancel(id, CALLER.member.id);
  // No time passes.
  await expect.poll(() => world.withdrawn).toHaveLength(1);
  expect(world.submissions).toHaveLength(1);
  expect(failures(world.withdrawn[0])).toEqual(['left']);
});

test('a wait that its deadline does not cover is not begun', async () => {
  const world = await supportingWorld();
  world.service.submit = failing('broken', DAY_MS);
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(world.submissions).toHaveLength(1);
  expect(failures(world.delivered[0]?.job)).toEqual(['unclear']);
});

/** A process has died between a submission and its answer. */
async function lostWorld() {
  const world = await supportingWorld();
  world.service.submit = () => new Promise(() => undefined);
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.submissions.length === 1);
  world.service.submit = () => Promise.resolve({ taskId: 'the same task' });
  return world;
}

test('it is not repeated once an answer has come that no longer announces that keys are supported', async () => {
  const world = await supportingWorld();
  const { submit } = world.service;
  world.service.submit = failing('interrupted');
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'interrupted'));
  world.service.idempotencySupported = false;
  world.service.submit = submit;
  await world.tracker.begin(request({ caller: callerOf('100000000000000002') }), acknowledge);
  await world.pass(() => world.delivered.length === 2);
  const lost = world.delivered.find(({ job }) => job.id === id);
  expect(failures(lost?.job)).toEqual(['unclear']);
  expect(world.submissions).toHaveLength(2);
});

test('a later process does not resubmit before the service has announced idempotency keys', async () => {
  const world = await lostWorld();
  world.service.idempotencySupported = false;
  await world.tracker.begin(request({ caller: callerOf('100000000000000002') }), acknowledge);
  await world.untilState(world.jobs, '100000000000000002', 'delivered');
  world.submissions.length = 0;
  await world.resumeJobs();
  await world.pass(() => world.delivered.length === 2);
  expect(failures(world.delivered[1]?.job)).toEqual(['unclear']);
  expect(world.submissions).toEqual([]);
});

test('it is not repeated half an hour later, when the service may have forgotten the key', async () => {
  const world = await lostWorld();
  await world.clock.advance(31 * 60_000);
  await world.resumeJobs();
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['unclear']);
  expect(world.submissions).toHaveLength(1);
});

test('nor when the machine slept for half an hour between two attempts', async () => {
  const world = await supportingWorld();
  world.service.submit = failing('interrupted');
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'interrupted'));
  await world.clock.suspend(31 * 60_000);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['unclear']);
  expect(world.submissions).toHaveLength(1);
});

test('what could not be sent because the machine slept for ten minutes is sent when it wakes', async () => {
  const world = await supportingWorld();
  const { submit } = world.service;
  world.service.submit = async () => {
    await world.clock.suspend(10 * 60_000);
    world.service.submit = submit;
    throw new ServiceError('unreachable', 'no');
  };
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['completed']);
});

test('what could not be sent before the machine slept for half an hour is not sent, and costs nothing', async () => {
  const world = await supportingWorld();
  world.service.submit = failing('unreachable');
  await world.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'unreachable'));
  world.submissions.length = 0;
  await world.clock.suspend(31 * 60_000);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['restarted']);
  expect(world.submissions).toEqual([]);
});

test('another service gets neither a submission that was lost nor the id of a task, and the member is told', async () => {
  const world = await lostWorld();
  const asked: string[] = [];
  world.service.status = (taskId) => {
    asked.push(taskId);
    return Promise.resolve(working);
  };
  await world.tracker.begin(request({ caller: callerOf('100000000000000002') }), acknowledge);
  await world.pass(() => asked.length > 0);
  const stopped = world.tracker.stop();
  await world.clock.advance(5_000);
  await stopped;
  asked.length = 0;
  world.submissions.length = 0;
  const other = await world.startTracker('https://other.example.com');
  await other.tracker.resume();
  await world.pass(() => world.delivered.length === 2);
  expect(world.delivered.map(({ job }) => failures(job))).toEqual([['moved'], ['moved']]);
  expect(asked).toEqual([]);
  expect(world.submissions).toEqual([]);
});

test('a task whose row does not say where it is is followed here, and not submitted again without a promise', async () => {
  for (const [task, ended] of [
    [TASKS.following, 'completed'],
    [TASKS.submitting, 'unclear'],
    [{ ...TASKS.submitting, idempotencySupported: false }, 'unclear'],
  ] as const) {
    const world = await lostWorld();
    const row = await world.jobs.find(id);
    if (row) await world.jobs.save({ ...row, tasks: [task] });
    await world.resumeJobs();
    await world.pass(() => world.delivered.length === 1);
    expect(failures(world.delivered[0]?.job)).toEqual([ended]);
    expect(world.submissions).toHaveLength(1);
  }
});
