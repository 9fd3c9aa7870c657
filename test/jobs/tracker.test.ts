import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import type { Job } from '../../src/jobs/job.ts';
import { hasEnded } from '../../src/jobs/job-task.ts';
import { acknowledge, CALLER, callerOf, createJobWorld, failures, request } from '../support/job-world.ts';
import { task, working } from '../support/poll-world.ts';

const { id } = CALLER.interaction;

test('a request becomes a picture, and its row says so and keeps no secrets', async () => {
  const { beginJob, delivered, submissions, untilState } = await createJobWorld();
  const { jobs } = await beginJob();
  await untilState(jobs, id, 'delivered');
  expect(delivered).toMatchObject([
    { job: { state: 'delivering' }, pictures: [{ task: 0, contentType: 'image/png' }] },
  ]);
  const job = await jobs.find(id);
  expect(job).toMatchObject({
    tasks: [{ state: 'completed', taskId: 'task-0' }],
    posted: { messageId: expect.any(String) },
  });
  expect(job?.secrets).toBeUndefined();
  expect(submissions[0]?.submission).toEqual({ ...request().submission, seed: job?.tasks[0]?.seed });
});

test('the row says submitting before the request leaves', async () => {
  const world = await createJobWorld();
  const { tracker, jobs } = await world.startTracker();
  const rows: (Job | undefined)[] = [];
  world.service.submit = async () => {
    rows.push(await jobs.find(id));
    return { taskId: 'task' };
  };
  await tracker.begin(request(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(rows.map((row) => row?.tasks.map(({ state }) => state))).toEqual([['submitting']]);
});

test('a given seed is the first one, and the others count up from it', async () => {
  const { beginJob, submissions, delivered, pass } = await createJobWorld();
  await beginJob({ count: 4, submission: { prompt: 'a fox', seed: 41 } });
  await pass(() => delivered.length === 1);
  expect(submissions.map(({ submission }) => submission.seed).toSorted()).toEqual([41, 42, 43, 44]);
  expect(new Set(submissions.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
});

test('the largest seed there is has three successors that fit', async () => {
  const { startTracker, submissions, delivered, pass } = await createJobWorld();
  const { tracker } = await startTracker();
  await tracker.begin(
    request({ count: 4, submission: { prompt: 'a fox', seed: Number.MAX_SAFE_INTEGER } }),
    acknowledge,
  );
  await pass(() => delivered.length === 1);
  const seeds = submissions.map(({ submission }) => submission.seed ?? -1);
  expect(new Set(seeds).size).toBe(4);
  for (const seed of seeds) expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true);
});

test('without a seed, and with -1, every picture gets one of its own', async () => {
  for (const seed of [undefined, -1]) {
    const { startTracker, submissions, delivered, pass } = await createJobWorld();
    const { tracker } = await startTracker();
    await tracker.begin(
      request({ count: 4, submission: { prompt: 'a fox', ...(seed && { seed }) } }),
      acknowledge,
    );
    await pass(() => delivered.length === 1);
    const seeds = submissions.map(({ submission }) => submission.seed ?? -1);
    expect(new Set(seeds).size).toBe(4);
    for (const drawn of seeds) expect(drawn >= 0 && drawn < 2 ** 32).toBe(true);
  }
});

test('an id that is known begins nothing: not at once, not later, not after a restart', async () => {
  const { startTracker, submissions, delivered, pass } = await createJobWorld();
  const { tracker } = await startTracker();
  await Promise.all([
    tracker.begin(request(), acknowledge),
    tracker.begin(request(), acknowledge),
    tracker.begin(request(), acknowledge),
  ]);
  await pass(() => delivered.length === 1);
  await tracker.begin(request(), acknowledge);
  const { tracker: later } = await startTracker();
  await later.begin(request(), acknowledge);
  await pass(() => true);
  expect(submissions).toHaveLength(1);
  expect(delivered).toHaveLength(1);
});

test('a submission whose fate is unclear is never sent again', async () => {
  for (const kind of ['timeout', 'interrupted', 'broken', 'protocol'] as const) {
    const submit = () => Promise.reject(new ServiceError(kind, 'nobody knows'));
    const { beginJob, submissions, delivered, pass, untilState } = await createJobWorld({ submit });
    const { jobs } = await beginJob();
    await pass(() => delivered.length === 1);
    expect(submissions).toHaveLength(1);
    expect(failures(delivered[0]?.job)).toEqual(['unclear']);
    await untilState(jobs, id, 'failed');
  }
});

test('where idempotency keys are supported it is sent again with the same one, and not for ever', async () => {
  let failing = false;
  const world = await createJobWorld({
    idempotencySupported: true,
    submit: (_submission, _options, nth) =>
      failing
        ? Promise.reject(new ServiceError('timeout', 'late'))
        : Promise.resolve({ taskId: `task-${nth}` }),
  });
  const { tracker } = await world.beginJob();
  await world.pass(() => world.delivered.length === 1);
  failing = true;
  await tracker.begin(request({ caller: callerOf('100000000000000002') }), acknowledge);
  await world.pass(() => world.delivered.length === 2);
  const repeated = world.submissions.slice(1);
  expect(repeated).toHaveLength(6);
  expect(new Set(repeated.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(failures(world.delivered[1]?.job)).toEqual(['unclear']);
});

test('a refusal is told as it is', async () => {
  const submit = () =>
    Promise.reject(new ServiceError('insufficient-balance', '402', { reason: 'not enough credits' }));
  const { beginJob, delivered, pass } = await createJobWorld({ submit });
  await beginJob();
  await pass(() => delivered.length === 1);
  expect(delivered[0]?.job.tasks[0]).toMatchObject({
    failure: {
      kind: 'insufficient-balance',
      reason: 'not enough credits',
      reference: expect.stringMatching(/^\w{8}$/),
    },
  });
});

test('a process that dies between the request and its answer leaves a task that is not sent again', async () => {
  const { beginJob, startTracker, submissions, delivered, pass, service } = await createJobWorld();
  const asked = createDeferred<void>();
  service.submit = async () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  await beginJob();
  await pass(() => submissions.length === 1);
  await asked.promise;
  const { tracker: next } = await startTracker();
  expect(await next.resume()).toBe(1);
  await pass(() => delivered.length === 1);
  expect(submissions).toHaveLength(1);
  expect(failures(delivered[0]?.job)).toEqual(['unclear']);
});

test('it is sent again, with its key, where the service is known to support that', async () => {
  const { beginJob, startTracker, submissions, delivered, pass, service, untilState } = await createJobWorld({
    idempotencySupported: true,
  });
  const { tracker, jobs } = await beginJob();
  await untilState(jobs, id, 'delivered');
  service.submit = () => new Promise(() => undefined);
  await tracker.begin(request({ caller: callerOf('100000000000000002') }), acknowledge);
  await pass(() => submissions.length === 2);
  service.submit = () => Promise.resolve({ taskId: 'the same task' });
  const { tracker: next } = await startTracker();
  await next.resume();
  await pass(() => delivered.length === 2);
  expect(submissions[2]).toEqual(submissions[1]);
  expect(delivered[1]?.job.tasks).toMatchObject([{ state: 'completed', taskId: 'the same task' }]);
});

test('of several pictures those that come out are delivered, and the others are explained', async () => {
  const { beginJob, delivered, logged, pass, untilState } = await createJobWorld({
    async submit(_submission, _options, nth) {
      if (nth === 1) throw new ServiceError('refused', 'no', { reason: 'not that' });
      return { taskId: `task-${nth}` };
    },
    async status(taskId) {
      if (taskId === 'task-2') return task('failed', { error: 'out of memory' });
      return task('completed', { result: { image_url: `https://images.example.com/${taskId}.png` } });
    },
    async download(url) {
      if (url.includes('task-3')) throw new ServiceError('not-found', 'gone');
      return { bytes: A_PNG, contentType: 'image/png' };
    },
  });
  const { jobs } = await beginJob({ count: 4 });
  await pass(() => delivered.length === 1);
  const [outcome] = delivered;
  expect(failures(outcome?.job)?.toSorted()).toEqual(['completed', 'refused', 'task-failed', 'unfetched']);
  expect(outcome?.pictures).toHaveLength(1);
  await untilState(jobs, id, 'delivered');
  const WARNING = 40;
  const told = [
    { kind: 'refused', reference: expect.any(String) },
    { kind: 'task-failed', taskId: 'task-2', reason: 'out of memory' },
    { kind: 'not-found', taskId: 'task-3', reference: expect.any(String) },
  ].map((line) => expect.objectContaining({ job: id, ...line }));
  const warnings = logged.filter(({ level }) => level === WARNING);
  expect(warnings).toEqual(expect.arrayContaining(told));
  expect(warnings).toHaveLength(told.length);
});

test('a file that is no picture fails its task', async () => {
  const download = () => Promise.resolve({ bytes: Buffer.from('<html>'), contentType: 'image/png' as const });
  const { beginJob, delivered, pass, untilState } = await createJobWorld({ download });
  const { jobs } = await beginJob();
  await pass(() => delivered.length === 1);
  expect(failures(delivered[0]?.job)).toEqual(['blocked']);
  expect(delivered[0]?.pictures).toEqual([]);
  await untilState(jobs, id, 'failed');
});

test('progress is shown as the service tells it, never falls, and is another list only where it is news', async () => {
  const answers = [
    task('pending', { queue_position: 3 }),
    task('processing', { progress: 60 }),
    task('processing', { progress: 20 }),
  ];
  const world = await createJobWorld();
  const next = world.service.status;
  world.service.status = (taskId) =>
    Promise.resolve(answers.shift()).then((answer) => answer ?? next(taskId));
  await world.beginJob();
  await world.pass(() => world.delivered.length === 1);
  const shown = [...new Set(world.shown.map(({ progress }) => progress))];
  expect(shown.map(([first]) => [first?.percent, first?.queuePosition])).toEqual([
    [undefined, undefined],
    [undefined, 3],
    [60, undefined],
  ]);
});

test('a job that is stopped while it is followed goes on in the next process with the same task', async () => {
  const { beginJob, startTracker, submissions, delivered, pass, service, shown, untilState } =
    await createJobWorld();
  const { status } = service;
  service.status = () => Promise.resolve(working);
  const { tracker, jobs } = await beginJob();
  await pass(() => shown.length > 1);
  await tracker.stop();
  expect(await jobs.find(id)).toMatchObject({
    state: 'developing',
    tasks: [{ state: 'following', taskId: 'task-0' }],
  });
  service.status = status;
  const { tracker: next } = await startTracker();
  expect(await next.resume()).toBe(1);
  await pass(() => delivered.length === 1);
  await untilState(jobs, id, 'delivered');
  expect(submissions).toHaveLength(1);
});

test('the answer to a submission that has left is waited for while stopping, and written down', async () => {
  const { beginJob, submissions, pass, service } = await createJobWorld();
  const answer = createDeferred<{ taskId: string }>();
  service.submit = () => answer.promise;
  const { tracker, jobs } = await beginJob();
  await pass(() => submissions.length === 1);
  const stopped = tracker.stop();
  answer.resolve({ taskId: 'just in time' });
  await stopped;
  expect(await jobs.find(id)).toMatchObject({ tasks: [{ state: 'following', taskId: 'just in time' }] });
});

test('it is waited for beside a task that has stopped already', async () => {
  const { startTracker, submissions, pass, service } = await createJobWorld();
  const answer = createDeferred<{ taskId: string }>();
  service.status = () => Promise.resolve(working);
  service.submit = (_submission, _options, nth) =>
    nth === 0 ? Promise.resolve({ taskId: 'at once' }) : answer.promise;
  const { tracker, jobs } = await startTracker();
  const states = async () => (await jobs.find(id))?.tasks.map(({ state }) => state).toSorted();
  await tracker.begin(request({ count: 2 }), acknowledge);
  await pass(async () => submissions.length === 2 && (await states())?.[0] === 'following');
  const stopped = tracker.stop();
  setTimeout(() => answer.resolve({ taskId: 'just in time' }), 50);
  await stopped;
  expect(await states()).toEqual(['following', 'following']);
});

test('stopping does not wait for more than five seconds for it', async () => {
  const { beginJob, submissions, pass, service, clock } = await createJobWorld();
  service.submit = () => new Promise(() => undefined);
  const { tracker, jobs } = await beginJob();
  await pass(() => submissions.length === 1);
  const stopped = tracker.stop();
  await clock.advance(5_000);
  await stopped;
  expect(await jobs.find(id)).toMatchObject({ tasks: [{ state: 'submitting' }] });
});

test('stopping waits for an edit that is on its way, which would come after what the next process shows', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker } = await world.beginJob();
  await world.pass(() => world.shown.length > 0);
  const edited = createDeferred<void>();
  world.service.stopShowing = () => edited.promise;
  let stopped = false;
  const stopping = tracker.stop().then(() => {
    stopped = true;
  });
  await world.clock.advance(4_000);
  expect(stopped).toBe(false);
  edited.resolve();
  await stopping;
});

test('stopping does not wait for more than five seconds for such an edit', async () => {
  const world = await createJobWorld({ status: () => Promise.resolve(working) });
  const { tracker } = await world.beginJob();
  await world.pass(() => world.shown.length > 0);
  world.service.stopShowing = () => new Promise(() => undefined);
  const stopping = tracker.stop();
  await world.clock.advance(5_000);
  await stopping;
});

test('a job whose key can no longer be read fails, and says that its key is gone', async () => {
  const world = await createJobWorld();
  world.service.status = () => Promise.resolve(working);
  const { tracker } = await world.beginJob();
  await world.pass(() => world.shown.length > 1);
  await tracker.stop();
  await world.sql(
    "UPDATE bot_rows SET value = json_set(value, '$.value.secrets', 'v1.00000000.garbage') WHERE key LIKE 'jobs:%'",
  );
  const { tracker: next } = await world.startTracker();
  await next.resume();
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['no-key']);
});

test('after half an hour a job is given up, and says that it took too long', async () => {
  const world = await createJobWorld();
  world.service.status = () => Promise.resolve(working);
  const { tracker } = await world.startTracker();
  const startedAt = world.clock.now();
  await tracker.begin(request(), acknowledge);
  await world.pass(() => world.shown.length > 1);
  await world.clock.advance(startedAt + 31 * 60_000 - world.clock.now());
  // No more time passes.
  await expect.poll(() => world.delivered).toHaveLength(1);
  expect(failures(world.delivered[0]?.job)).toEqual(['timed-out']);
  expect(world.logged).toContainEqual(
    expect.objectContaining({ job: id, taskId: 'task-0', kind: 'timed-out' }),
  );
});

test('that the service has taken a task is shown before it is first asked how the task is doing', async () => {
  const world = await createJobWorld({ status: () => new Promise(() => undefined) });
  await world.beginJob();
  const states = () => world.shown.map(({ job }) => job.tasks[0]?.state);
  await world.clock.settle();
  await expect.poll(states).toEqual(['planned', 'following']);
});

test('a picture that is not fetched at once is shown to be on its way', async () => {
  const fetched = createDeferred<void>();
  const world = await createJobWorld({
    download: () => fetched.promise.then(() => ({ bytes: A_PNG, contentType: 'image/png' as const })),
  });
  await world.beginJob();
  await world.pass(() => world.shown.some(({ job }) => job.tasks.every(hasEnded)));
  fetched.resolve();
  await world.pass(() => world.delivered.length === 1);
});
