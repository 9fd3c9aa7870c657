import { createHash } from 'node:crypto';
import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { A_KEY, A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { bringInput } from '../../src/jobs/bring-input.ts';
import { FileGoneError } from '../../src/jobs/input.ts';
import { guildOrMember, type Job } from '../../src/jobs/job.ts';
import { createRun, type RunDependencies } from '../../src/jobs/run.ts';
import { aJob } from '../support/job.ts';
import {
  acknowledge,
  CALLER,
  callerOf,
  createJobWorld,
  failures,
  request,
  type Script,
} from '../support/job-world.ts';
import { largePictures } from '../support/large-pictures.ts';

const { id } = CALLER.interaction;
const FILE = { name: 'cat.png', url: 'https://cdn.discordapp.com/cat.png', size: A_PNG.byteLength };
const SUBMISSION = { prompt: 'a cat with a hat', operation: 'edit', workflow: 'default' } as const;
const BROUGHT = { name: 'upload:f0f0', payer: { kind: 'operator' } };

const asked = () => request({ submission: SUBMISSION, input: { file: FILE, own: true }, count: 2 });

/** A world in which every picture that is brought is counted. */
async function inputWorld(script: Partial<Script> = {}) {
  let brought = 0;
  const world = await createJobWorld({
    upload: async () => {
      brought++;
      return { id: 'f0f0', width: 64, height: 48 };
    },
    ...script,
  });
  return { ...world, brought: () => brought };
}

/** Of a job that still has time. */
const runOf = (job: Partial<Job>, deps: RunDependencies) => {
  const secrets = { apiKey: A_KEY, interactionToken: 'aW50ZXJhY3Rpb246token' };
  const deadlineAt = deps.clock.now() + MINUTE_MS;
  return createRun(
    aJob({ id, secrets, deadlineAt, ...job }),
    { abandoned: new AbortController().signal },
    deps,
  );
};

test('a picture of one’s own is brought once for all tasks, before any of them is submitted', async () => {
  const world = await inputWorld();
  const { tracker, jobs } = await world.startTracker();
  let rowAtSubmission: Job | undefined;
  world.service.submit = async (_submission, _options, nth) => {
    rowAtSubmission ??= await jobs.find(id);
    return { taskId: `task-${nth}` };
  };
  await tracker.begin(asked(), acknowledge);
  await world.untilState(jobs, id, 'delivered');
  expect(world.brought()).toBe(1);
  expect(world.submissions.map(({ submission }) => submission)).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ ...SUBMISSION, image: 'upload:f0f0' })),
  );
  const sha256 = createHash('sha256').update(A_PNG).digest('hex');
  expect(rowAtSubmission?.input).toMatchObject({ ...BROUGHT, width: 64, height: 48, sha256, own: true });
});

test('a picture that is brought and those that are fetched do not wait for one another', async () => {
  const fetched = createDeferred<Uint8Array>();
  let isFetching = false;
  const world = await inputWorld({
    fetchFile() {
      isFetching = true;
      return fetched.promise;
    },
  });
  const { tracker, jobs } = await world.startTracker();
  const file = { ...FILE, size: 1024 ** 3 };
  await tracker.begin(request({ submission: SUBMISSION, input: { file, own: true } }), acknowledge);
  await world.pass(() => isFetching);
  // Of the same server, and more pictures than it may have calls at once.
  const others = ['100000000000000002', '100000000000000003', '100000000000000004'];
  for (const other of others)
    await tracker.begin(request({ caller: callerOf(other), count: 4 }), acknowledge);
  await world.pass(async () => {
    const tasks = (await Promise.all(others.map(jobs.find))).flatMap((job) => job?.tasks ?? []);
    return tasks.filter(({ state }) => state === 'completed').length >= 10;
  });
  fetched.resolve(A_PNG);
  for (const one of [id, ...others]) await world.untilState(jobs, one, 'delivered');
});

test('of pictures of unknown size that are brought only as many are in memory at once as there is room for', async () => {
  const large = largePictures();
  const world = await inputWorld({ download: large.download });
  const { deps } = await world.startTracker();
  const input = { imageUrl: 'https://images.example.com/1.png' };
  const bringings = Array.from({ length: 3 }, (_, nth) => bringInput(runOf({ id: `${nth}`, input }, deps)));
  for (const one of bringings) expect(await one).toBeUndefined();
  expect(world.brought()).toBe(3);
  expect(large.mostInMemory()).toBe(1);
});

test('a process that ends while it brings a picture leaves that to the next one, which submits each task once', async () => {
  const world = await inputWorld({ fetchFile: () => new Promise(() => undefined) });
  const { tracker } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(async () => world.shown.length > 0);
  const ended = tracker.stop();
  await world.pass(() => ended.then(() => true));
  world.service.fetchFile = () => Promise.resolve(A_PNG);
  const next = await world.resumeJobs();
  await world.untilState(next.jobs, id, 'delivered');
  expect(world.brought()).toBe(1);
  expect(world.submissions).toHaveLength(2);
});

test.each(['fetchFile', 'upload'] as const)(
  'a picture is brought once more after the machine slept for ten minutes during %s',
  async (call) => {
    const world = await inputWorld();
    const { fetchFile, upload } = world.service;
    let calls = 0;
    async function sleepThrough(): Promise<never> {
      calls += 1;
      await world.clock.suspend(10 * MINUTE_MS);
      Object.assign(world.service, { fetchFile, upload });
      throw new ServiceError('interrupted', 'the connection is gone');
    }
    Object.assign(world.service, { [call]: sleepThrough });
    const { tracker, jobs } = await world.startTracker();
    await tracker.begin(asked(), acknowledge);
    await world.untilState(jobs, id, 'delivered');
    expect([calls, world.brought()]).toEqual([1, 1]);
    expect(failures(world.delivered[0]?.job)).toEqual(['completed', 'completed']);
  },
);

test('a picture that an earlier process has brought is not fetched again', async () => {
  const world = await inputWorld({ submit: () => new Promise(() => undefined) });
  const { tracker, jobs } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(async () => (await jobs.find(id))?.input?.name !== undefined);
  world.service.fetchFile = () => Promise.reject(new FileGoneError('its address has died'));
  world.service.submit = (_submission, _options, nth) => Promise.resolve({ taskId: `task-${nth}` });
  await world.resumeJobs();
  await world.pass(() => world.delivered.length === 1);
  expect(world.brought()).toBe(1);
  expect(failures(world.delivered[0]?.job)).not.toContain('input-gone');
});

test.each([
  ['gone', { fetchFile: () => Promise.reject(new FileGoneError('gone')) }, 'input-gone'],
  ['none', { upload: () => refusing('picture_unreadable') }, 'input-unreadable'],
  ['too large', { upload: () => refusing('picture_too_large') }, 'input-too-large'],
])('of a picture that is %s nothing is submitted, and its member alone is told', async (_, script, kind) => {
  const world = await inputWorld(script);
  const { tracker } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(world.submissions).toEqual([]);
  expect(failures(world.delivered[0]?.job)).toEqual([kind, kind]);
  expect(world.delivered[0]?.job).toMatchObject({ private: true, withheld: true });
});

test.each([
  [64 * 48, 'delivered'],
  [64 * 48 - 1, 'result-too-large'],
])('of a picture whose size was not known the result may have %i pixels: %s', async (mostPixels, outcome) => {
  const world = await inputWorld();
  const { tracker } = await world.startTracker();
  const input = { file: FILE, own: true, mostPixels } as const;
  await tracker.begin(request({ submission: SUBMISSION, input }), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual([outcome === 'delivered' ? 'completed' : outcome]);
  expect(world.submissions).toHaveLength(outcome === 'delivered' ? 1 : 0);
});

test('what the service knows no more when it is submitted is said so', async () => {
  const world = await inputWorld({ submit: () => refusing('picture_not_found') });
  const { tracker } = await world.startTracker();
  await tracker.begin(
    request({ submission: SUBMISSION, input: { name: 'task:1', payer: { kind: 'operator' } } }),
    acknowledge,
  );
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['input-gone']);
});

test.each(['task:1', 'upload:1'])(
  'what the account of another key calls %s is brought where the service does not know it',
  async (name) => {
    const world = await inputWorld({
      submit: (submission, _options, nth) =>
        submission.image === name
          ? refusing('picture_not_found')
          : Promise.resolve({ taskId: `task-${nth}` }),
    });
    const { tracker } = await world.startTracker();
    const input = { name, payer: { kind: 'operator' }, file: FILE } as const;
    await tracker.begin(request({ submission: SUBMISSION, input, count: 2 }), acknowledge);
    await world.pass(() => world.delivered.length === 1);
    expect(failures(world.delivered[0]?.job)).toEqual(['completed', 'completed']);
    expect(world.brought()).toBe(1);
    const accepted = world.submissions.filter(({ submission }) => submission.image === 'upload:f0f0');
    expect(accepted).toHaveLength(2);
    expect(new Set(world.submissions.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
  },
);

test('where the key is replaced while a picture is fetched, the other one brings it, and pays', async () => {
  const other = `sk-${'7'.repeat(48)}`;
  const uploadedWith: string[] = [];
  const submittedWith: string[] = [];
  const world = await inputWorld({
    upload(_bytes, { apiKey }) {
      uploadedWith.push(apiKey);
      return apiKey === other
        ? Promise.resolve({ id: 'f0f0', width: 64, height: 48 })
        : Promise.reject(new ServiceError('unauthorized', 'revoked'));
    },
    submit(_submission, { apiKey }, nth) {
      submittedWith.push(apiKey);
      return Promise.resolve({ taskId: `task-${nth}` });
    },
    keyOf: () => Promise.resolve(other),
  });
  const { tracker } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['completed', 'completed']);
  expect(uploadedWith).toEqual([A_KEY, other]);
  expect(submittedWith).toEqual([other, other]);
});

test('where the key that is linked in its place is not accepted either, the job ends with that one', async () => {
  const other = `sk-${'7'.repeat(48)}`;
  const world = await inputWorld({
    upload: () => Promise.reject(new ServiceError('unauthorized', 'revoked')),
    keyOf: () => Promise.resolve(other),
  });
  const { tracker } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(() => world.endedWith.length === 1);
  expect(failures(world.delivered[0]?.job)).toEqual(['unauthorized', 'unauthorized']);
  expect(world.endedWith).toEqual([other]);
});

test('a picture that the service does not take for now keeps no finished one from its member', async () => {
  const busy = new ServiceError('busy', 'too many uploads');
  let refused = 0;
  const world = await inputWorld({
    upload() {
      refused++;
      return Promise.reject(busy);
    },
  });
  const { tracker, jobs } = await world.startTracker();
  // As large as all that may be in memory.
  const input = { file: { ...FILE, size: 64 * 1024 ** 2 }, own: true } as const;
  await tracker.begin(request({ submission: SUBMISSION, input }), acknowledge);
  await world.pass(() => refused === 1);
  const other = '100000000000000002';
  await tracker.begin(request({ caller: callerOf(other) }), acknowledge);
  await world.pass(() => world.delivered.length === 1);
  expect(world.delivered[0]?.job.id).toBe(other);
  expect(failures(await jobs.find(id))).toEqual(['planned']);
});

test('a picture that Discord has no more is brought from the service that has drawn it', async () => {
  const world = await inputWorld({ fetchFile: () => Promise.reject(new FileGoneError('gone')) });
  const { tracker, jobs } = await world.startTracker();
  const input = { file: FILE, imageUrl: 'https://images.example.com/1.png' };
  await tracker.begin(request({ submission: SUBMISSION, input }), acknowledge);
  await world.untilState(jobs, id, 'delivered');
  expect(world.brought()).toBe(1);
});

test('it is brought from there only once the server of the job has room for a call', async () => {
  const end = createDeferred<void>();
  let downloads = 0;
  const world = await inputWorld({
    fetchFile: () => Promise.reject(new FileGoneError('gone')),
    async download() {
      downloads += 1;
      return { bytes: A_PNG, contentType: 'image/png' };
    },
  });
  const { deps } = await world.startTracker();
  const { rateLimiter } = deps.service;
  const run = runOf({ input: { file: FILE, imageUrl: 'https://images.example.com/1.png' } }, deps);
  const others = Array.from({ length: 10 }, () =>
    rateLimiter.run(guildOrMember(run.job()), 'poll', () => end.promise),
  );
  const bringing = bringInput(run);
  await expect.poll(() => rateLimiter.waiting()).toBe(1);
  expect(downloads).toBe(0);
  end.resolve();
  await Promise.all(others);
  expect(await bringing).toBeUndefined();
  expect(downloads).toBe(1);
});

test('it is brought at once while submissions of its server hang', async () => {
  const end = createDeferred<void>();
  const world = await inputWorld();
  const { deps } = await world.startTracker();
  const { rateLimiter } = deps.service;
  const run = runOf({ input: { file: FILE } }, deps);
  const others = Array.from({ length: 7 }, () =>
    rateLimiter.run(guildOrMember(run.job()), 'submit', () => end.promise),
  );
  await expect.poll(() => rateLimiter.waiting()).toBe(1);
  const bringing = bringInput(run);
  await expect.poll(() => world.brought() + rateLimiter.waiting()).toBe(2);
  const brought = world.brought();
  end.resolve();
  await Promise.all([...others, bringing]);
  expect(brought).toBe(1);
});

test('who cancels while a picture is brought has sent nothing', async () => {
  const world = await inputWorld({ fetchFile: () => new Promise(() => undefined) });
  const { tracker } = await world.startTracker();
  await tracker.begin(asked(), acknowledge);
  await world.pass(async () => world.shown.length > 0);
  void tracker.cancel(id, CALLER.member.id);
  await world.pass(() => world.withdrawn.length === 1);
  expect(world.submissions).toEqual([]);
  expect(failures(world.withdrawn[0])).toEqual(['withdrawn', 'withdrawn']);
});

const refusing = (code: string) => Promise.reject(new ServiceError('refused', 'no', { code }));
