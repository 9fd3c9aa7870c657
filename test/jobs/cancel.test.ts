import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { usageOf } from '../../src/usage/usage-row.ts';
import { aJob, TASKS } from '../support/job.ts';
import { acknowledge, CALLER, createJobWorld, failures, request, type Script } from '../support/job-world.ts';
import { completed, task, working } from '../support/poll-world.ts';

const { id } = CALLER.interaction;
const MEMBER = CALLER.member.id;
const MODERATOR = '200000000000000009';
const cancelled = (cost?: number) => () => Promise.resolve(task('failed', { cost, error_code: 'cancelled' }));

/** A job that is being drawn for as long as its service is asked. */
async function developingWorld(script: Partial<Script> = {}) {
  const world = await createJobWorld({ status: () => Promise.resolve(working), ...script });
  const started = await world.startTracker();
  await started.tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress }) => progress.every(({ begun }) => begun)));
  return { ...world, ...started };
}

/** What `work` comes to, while time passes. */
async function passing<Result>(
  { pass }: { pass(done: () => boolean): Promise<void> },
  work: Promise<Result>,
): Promise<Result> {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  await pass(() => done);
  return work;
}

test('what is cancelled ends at the service, is over, and nothing is left of its reply and its secrets', async () => {
  const world = await developingWorld({ cancel: cancelled(0.4) });
  const result = await passing(world, world.tracker.cancel(id, MEMBER));
  expect(result).toMatchObject({
    state: 'ended',
    job: { tasks: [{ failure: { kind: 'cancelled' }, cost: 0.4 }] },
  });
  await world.untilState(world.jobs, id, 'cancelled');
  const job = await world.jobs.find(id);
  expect(job?.reply.messageId).toBeUndefined();
  expect(job?.secrets).toBeUndefined();
  expect(world.withdrawn).toHaveLength(1);
  expect([world.delivered, world.told]).toEqual([[], []]);
  expect(await passing(world, world.tracker.cancel(id, MEMBER))).toMatchObject({
    state: 'ended',
    job: { state: 'cancelled' },
  });
});

test('where the service cannot cancel, or hangs, it is left, for which it may charge', async () => {
  for (const cancel of [
    () => Promise.reject(new ServiceError('not-found', 'no such operation')),
    () => Promise.resolve(working),
    () => new Promise<never>(() => undefined),
  ]) {
    const world = await developingWorld({ cancel });
    await passing(world, world.tracker.cancel(id, MEMBER));
    await world.untilState(world.jobs, id, 'cancelled');
    expect(failures(world.withdrawn[0])).toEqual(['left']);
  }
});

test('what the service was not told of before the process stopped the next one has it end', async () => {
  let asked = false;
  const world = await developingWorld({
    cancel() {
      asked = true;
      return new Promise(() => undefined);
    },
  });
  void world.tracker.cancel(id, MEMBER);
  await world.pass(() => asked);
  await passing(world, world.tracker.stop());
  world.service.cancel = cancelled(0);
  await world.resumeJobs();
  await world.pass(() => world.withdrawn.length === 1);
  expect(failures(world.withdrawn[0])).toEqual(['cancelled']);
});

test('a picture that was finished before the service heard of it is delivered', async () => {
  const world = await developingWorld({ cancel: () => Promise.resolve(completed) });
  expect(await passing(world, world.tracker.cancel(id, MEMBER))).toMatchObject({ state: 'ended' });
  await world.untilState(world.jobs, id, 'delivered');
  expect(world.delivered[0]?.pictures).toHaveLength(1);
});

test('of several pictures those that are finished are delivered, and the others are cancelled', async () => {
  const world = await createJobWorld({
    cancel: cancelled(0),
    status: (taskId) => Promise.resolve(taskId === 'task-0' ? completed : working),
  });
  const { tracker, jobs } = await world.beginJob({ count: 2 });
  await world.pass(async () => failures(await jobs.find(id))?.includes('completed') ?? false);
  await passing(world, tracker.cancel(id, MODERATOR));
  await world.untilState(jobs, id, 'delivered');
  expect(failures(world.delivered[0]?.job)?.toSorted()).toEqual(['cancelled', 'completed']);
  expect(world.delivered[0]?.pictures).toHaveLength(1);
  await world.pass(() => world.told.length === 1);
  expect(world.withdrawn).toEqual([]);
});

test('a submission that is on its way is awaited, and what came of it is cancelled', async () => {
  const answer = createDeferred<{ taskId: string }>();
  const ended: string[] = [];
  const world = await createJobWorld({
    submit: () => answer.promise,
    cancel: (taskId) => {
      ended.push(taskId);
      return cancelled(0)();
    },
  });
  const { tracker, jobs } = await world.beginJob();
  await world.pass(() => world.submissions.length === 1);
  const cancelling = tracker.cancel(id, MEMBER);
  await world.pass(() => true);
  answer.resolve({ taskId: 'just now' });
  await passing(world, cancelling);
  await world.untilState(jobs, id, 'cancelled');
  expect(ended).toEqual(['just now']);
});

test('whoever presses first, the member is told of a moderator only where one did', async () => {
  const world = await developingWorld({ cancel: cancelled(0) });
  const presses = [MODERATOR, MODERATOR, MEMBER].map((by) => world.tracker.cancel(id, by));
  const results = await passing(world, Promise.all(presses));
  expect(results.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended']);
  await world.untilState(world.jobs, id, 'cancelled');
  expect([world.withdrawn.length, world.told.length]).toEqual([1, 1]);
});

test('a process that dies once it is written down leaves the rest to the next, which knows who did it', async () => {
  const world = await developingWorld({ cancel: () => new Promise(() => undefined) });
  void world.tracker.cancel(id, MODERATOR);
  await world.pass(async () => (await world.jobs.find(id))?.state === 'developing');
  await world.tracker.stop();
  world.service.cancel = cancelled(0);
  const next = await world.startTracker();
  expect(await next.tracker.resume()).toBe(1);
  await world.untilState(next.jobs, id, 'cancelled');
  await world.pass(() => world.told.length === 1);
  expect([world.withdrawn.length, world.delivered.length]).toEqual([1, 0]);
});

test('a reply whose deletion a dead process could not write down is deleted once more, and nothing is sent', async () => {
  const world = await developingWorld({
    cancel: cancelled(0),
    find: () => Promise.resolve({ state: 'unknown' }),
  });
  world.service.withdraw = (_job, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  void world.tracker.cancel(id, MEMBER);
  await world.pass(() => world.withdrawn.length === 1);
  const next = await world.startTracker();
  world.service.withdraw = () => Promise.resolve('withdrawn');
  expect(await next.tracker.resume()).toBe(1);
  await world.untilState(next.jobs, id, 'cancelled');
  expect([world.withdrawn.length, world.delivered.length]).toEqual([2, 0]);
});

test('a member is told of a moderator once the reply is gone, by the process that has seen to that', async () => {
  const world = await developingWorld({ cancel: cancelled(0) });
  world.service.withdraw = (_job, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  void world.tracker.cancel(id, MODERATOR);
  await world.pass(() => world.withdrawn.length === 1);
  const next = await world.startTracker();
  world.service.withdraw = () => Promise.resolve('withdrawn');
  expect(await next.tracker.resume()).toBe(1);
  await world.untilState(next.jobs, id, 'cancelled');
  await world.pass(() => world.told.length === 1);
  expect(world.withdrawn).toHaveLength(2);
  expect(await next.jobs.find(id)).toMatchObject({ moderated: true });
});

test('what Discord does not let be deleted for too long is tried again', async () => {
  const world = await developingWorld({
    cancel: cancelled(0),
    withdraw: () => Promise.resolve('unconfirmed'),
  });
  await passing(world, world.tracker.cancel(id, MEMBER));
  await world.untilState(world.jobs, id, 'waiting');
  world.service.withdraw = () => Promise.resolve('withdrawn');
  await world.clock.advance(5 * 60_000);
  await world.untilState(world.jobs, id, 'cancelled');
});

test('a job that another process follows is cancelled there, and the answer is what became of it', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working), cancel: cancelled(0.5) });
  const lockJob = async () => async () => undefined;
  const { tracker } = await world.startTracker(undefined, { id: 0, count: 1 }, lockJob);
  const other = await world.startTracker(undefined, { id: 9, count: 10 }, lockJob);
  await tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.begun));
  const result = await passing(world, other.tracker.cancel(id, MEMBER));
  expect(result).toMatchObject({ state: 'ended', job: { tasks: [{ cost: 0.5 }] } });
});

test('a job whose picture is on its way to its member can no longer be cancelled, nor one that is not known', async () => {
  const { startTracker, delivered, pass, service } = await createJobWorld();
  service.deliver = (_job, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const { tracker } = await startTracker();
  expect(await tracker.cancel(id, MEMBER)).toEqual({ state: 'over' });
  await tracker.begin(request(), acknowledge);
  await pass(() => delivered.length === 1);
  expect(await tracker.cancel(id, MEMBER)).toEqual({ state: 'over' });
});

test('what a server pays for something that was cancelled counts, and is no failure', async () => {
  const world = await developingWorld({ cancel: cancelled(0.4) });
  await passing(world, world.tracker.cancel(id, MEMBER));
  await world.untilState(world.jobs, id, 'cancelled');
  const job = await world.jobs.find(id);
  expect(job && usageOf(job)).toMatchObject({ pictures: 0, failed: 0, credits: 0.4 });
});

test('a job that rests until it is tried again is stopped with all others of its server', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker, jobs } = await world.startTracker();
  const secrets = { apiKey: A_KEY, interactionToken: 'a token' };
  await jobs.create(aJob({ tasks: [TASKS.planned], secrets }));
  expect(await tracker.cancelAll('another server', MODERATOR)).toBe(0);
  expect(await tracker.cancelAll(CALLER.guildId ?? '', MODERATOR)).toBe(1);
  await tracker.resume();
  await world.untilState(jobs, id, 'cancelled');
  expect(world.submissions).toEqual([]);
});

test('a member who cancels what rests is told of the moderator who did so before', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker, jobs } = await world.startTracker();
  const secrets = { apiKey: A_KEY, interactionToken: 'a token' };
  await jobs.create(aJob({ tasks: [TASKS.planned], secrets }));
  expect(await tracker.cancelAll(CALLER.guildId ?? '', MODERATOR)).toBe(1);
  await passing(world, tracker.cancel(id, MEMBER));
  await world.untilState(jobs, id, 'cancelled');
  expect(await jobs.find(id)).toMatchObject({ moderated: true });
  await world.pass(() => world.told.length === 1);
});

test('what is asked for while everything is stopped is stopped, too, and its member is told once its reply is gone', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker, jobs } = await world.startTracker();
  const toldBefore: number[] = [];
  world.service.withdraw = async () => {
    toldBefore.push(world.told.length);
    return 'withdrawn';
  };
  const answered = createDeferred<undefined>();
  const asked = createDeferred<undefined>();
  const begun = tracker.begin(request(), async () => {
    asked.resolve(undefined);
    return answered.promise;
  });
  await asked.promise;
  expect(await tracker.cancelAll(CALLER.guildId ?? '', MODERATOR)).toBe(1);
  answered.resolve(undefined);
  await begun;
  await world.untilState(jobs, id, 'cancelled');
  await world.pass(() => world.told.length === 1);
  expect(toldBefore).toEqual([0]);
  expect(world.submissions).toEqual([]);
});
