import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS, type Semaphore } from '@darkroom/time';
import { expect, test } from 'vitest';
import * as behave from '../../packages/image-api/test/support/behaviours.ts';
import { createClientWorld } from '../../packages/image-api/test/support/image-client.ts';
import { A_KEY, A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { guildOrMember } from '../../src/jobs/job.ts';
import { downloadPicture } from '../../src/jobs/picture-download.ts';
import { createRun, type Run, type RunDependencies } from '../../src/jobs/run.ts';
import { createRateLimiter } from '../../src/jobs/service-calls/rate-limiter.ts';
import { aJob, TASKS } from '../support/job.ts';
import { CALLER, createJobWorld } from '../support/job-world.ts';
import { largePictures } from '../support/large-pictures.ts';
import { completed, task, working } from '../support/poll-world.ts';

/** Of one server. */
const CALLS_AT_ONCE = 10;

test('a picture is asked for once more after twenty minutes and then given up, however long the service asks to wait', async () => {
  let asked = 0;
  const world = await createJobWorld({
    download: () => {
      asked += 1;
      return Promise.reject(new ServiceError('busy', 'too much to do', { retryAfterMs: 24 * HOUR_MS }));
    },
  });
  await world.beginJob();
  const wait = () => world.clock.sleeps.find((ms) => ms > 10 * MINUTE_MS) ?? 0;
  await world.pass(() => wait() > 0);
  expect(wait()).toBeLessThanOrEqual(20 * MINUTE_MS);
  await world.clock.advance(wait() - MINUTE_MS);
  expect(world.delivered).toEqual([]);
  await world.clock.advance(MINUTE_MS);
  await world.pass(() => world.delivered.length === 1);
  expect(asked).toBe(2);
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ failure: { kind: 'unfetched' } }]);
});

test('a picture that a mistake of ours keeps from being shown is still linked where it was paid for', async () => {
  const world = await createJobWorld({ download: () => Promise.reject(new TypeError('a mistake')) });
  await world.beginJob();
  await world.pass(() => world.delivered.length === 1);
  const failure = { kind: 'internal', address: expect.stringMatching(/^http/) };
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ failure }]);
});

test('a picture that is larger than any that is taken is asked for once', async () => {
  const { client, service } = await createClientWorld();
  const headers = { 'content-length': 2 ** 31 };
  service.script('picture', behave.bytes(A_PNG, 'image/png', { headers }));
  const world = await createJobWorld();
  const { deps } = await world.startTracker();
  const run = completedRun(deps, (_, options) => client.download('/pictures/7.png', options));
  expect(await downloadPicture(run, 0, TASKS.completed)).toBeUndefined();
  expect(service.requests()).toHaveLength(1);
  expect(run.job().tasks).toMatchObject([{ failure: { kind: 'blocked' } }]);
});

/** Two pictures, of which the second is never finished. */
async function halfDoneWorld() {
  const fetched: string[] = [];
  const world = await createJobWorld({
    status: (taskId) => Promise.resolve(taskId === 'task-0' ? completed : working),
    async download(url) {
      fetched.push(url);
      return { bytes: A_PNG, contentType: 'image/png' };
    },
  });
  const { tracker } = await world.beginJob({ count: 2 });
  await world.pass(() => fetched.length === 1);
  return { ...world, tracker, fetched };
}

test('a picture whose address does not live until the others are finished is delivered with their fate', async () => {
  const world = await halfDoneWorld();
  world.service.download = () => Promise.reject(new ServiceError('not-found', 'expired'));
  await world.clock.advance(30 * MINUTE_MS);
  await world.pass(() => world.delivered.length === 1);
  const [outcome] = world.delivered;
  expect(outcome?.job.tasks.map(({ state }) => state).toSorted()).toEqual(['completed', 'failed']);
  expect(outcome?.pictures.map(({ bytes }) => bytes)).toEqual([A_PNG]);
  expect(world.fetched).toHaveLength(1);
});

test('a picture that is refused at its address is fetched from the one that the service names by then', async () => {
  const world = await halfDoneWorld();
  const addressed = (address: string) => task('completed', { result: { image_url: address } });
  world.service.download = async (url) => {
    if (url.endsWith('signed-twice.png')) return { bytes: A_PNG, contentType: 'image/png' };
    throw new ServiceError('refused', 'the request has expired');
  };
  const addresses = ['signed-once.png', 'signed-twice.png'];
  world.service.status = async () => addressed(`https://images.example.com/${addresses.shift()}`);
  await world.pass(() => world.delivered.length === 1);
  expect(addresses).toEqual([]);
  expect(world.delivered[0]?.pictures).toHaveLength(2);
  // Whatever is made of it later begins there.
  expect(JSON.stringify(world.delivered[0]?.job.tasks)).toContain('signed-twice.png');
});

test('a picture that is refused at every address that the service names is given up as soon as any other', async () => {
  const world = await halfDoneWorld();
  world.service.download = () => Promise.reject(new ServiceError('refused', 'the request has expired'));
  let named = 0;
  world.service.status = async () =>
    task('completed', { result: { image_url: `https://images.example.com/${named++}.png` } });
  const before = world.clock.now();
  await world.pass(() => world.delivered.length === 1);
  expect(world.clock.now() - before).toBeLessThan(MINUTE_MS);
});

test('only the service that has made a picture is asked where it is now', async () => {
  const asked: string[] = [];
  const world = await createJobWorld({
    status: async (taskId) => {
      asked.push(taskId);
      return completed;
    },
  });
  const { deps } = await world.startTracker();
  const secrets = { apiKey: A_KEY, interactionToken: 'a token' };
  const run = completedRun(deps, () => Promise.reject(new ServiceError('refused', 'expired')), { secrets });
  for (const service of [deps.service.name, 'https://elsewhere.example.com']) {
    const made = { ...TASKS.completed, taskId: `made by ${service}`, service, completedAt: 0 };
    expect(await downloadPicture(run, 0, made)).toBeUndefined();
  }
  expect(asked).toEqual([`made by ${deps.service.name}`]);
});

test('it is downloaded again at once by a process that resumes its job on another disk', async () => {
  const world = await halfDoneWorld();
  await world.tracker.stop();
  await rm(join(world.folder, 'spool'), { recursive: true });
  await world.resumeJobs();
  await world.pass(() => world.fetched.length === 2);
  expect(world.delivered).toEqual([]);
});

test('nothing is left to cancel while a finished picture is being downloaded', async () => {
  const world = await createJobWorld({ download: () => Promise.reject(new ServiceError('broken', 'no')) });
  const { tracker } = await world.beginJob();
  await world.pass(() => world.shown.some(({ progress: [first] }) => first?.trouble === 'broken'));
  expect(await tracker.cancel(CALLER.interaction.id, CALLER.member.id)).toEqual({ state: 'over' });
});

type Download = RunDependencies['service']['images']['download'];

/** The run of a job whose task is completed; its picture is fetched by `download`. */
function completedRun(deps: RunDependencies, download: Download, job: Parameters<typeof aJob>[0] = {}): Run {
  const { signal: abandoned } = new AbortController();
  const images = { ...deps.service.images, download };
  return createRun(
    aJob({ tasks: [TASKS.completed], ...job }),
    { abandoned },
    { ...deps, service: { ...deps.service, images } },
  );
}

test('the downloads of a busy server that wait for its rate limit keep those of no other server waiting', async () => {
  const world = await createJobWorld();
  const { deps } = await world.startTracker();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const download = (guildId: string, id: number, ready: Promise<void>) => {
    const fetched = () => ready.then(() => ({ bytes: A_PNG, contentType: 'image/png' as const }));
    return downloadPicture(completedRun(deps, fetched, { id: `${id}`, guildId }), 0, TASKS.completed);
  };
  const busy = Array.from({ length: 30 }, (_, nth) => download('1', nth, answered));
  expect(await download('2', 30, Promise.resolve())).toMatchObject({ task: 0 });
  answer();
  for (const one of busy) expect(await one).toMatchObject({ task: 0 });
});

test('of pictures that turn out large only as many are in memory at once as there is room for', async () => {
  const world = await createJobWorld();
  const { deps } = await world.startTracker();
  const large = largePictures();
  const runs = Array.from({ length: 12 }, (_, id) => completedRun(deps, large.download, { id: `${id}` }));
  const downloads = runs.map((run) => downloadPicture(run, 0, TASKS.completed));
  for (const one of downloads) expect(await one).toMatchObject({ task: 0 });
  expect(large.mostInMemory()).toBe(1);
});

test('pictures that wait for memory hold no call of their server, and have made none', async () => {
  const world = await createJobWorld();
  const { deps } = await world.startTracker();
  const { memory } = deps.pictures;
  const giveBack = await memory.acquire(Number.POSITIVE_INFINITY);
  let waiting = 0;
  const allWait = createDeferred<void>();
  const hold: Semaphore['hold'] = (...asked) => {
    waiting += 1;
    if (waiting === CALLS_AT_ONCE) allWait.resolve();
    return memory.hold(...asked);
  };
  const rateLimiter = createRateLimiter({ callsPerSecond: CALLS_AT_ONCE });
  const ours = {
    ...deps,
    service: { ...deps.service, rateLimiter },
    pictures: { ...deps.pictures, memory: { ...memory, hold } },
  };
  const fetched = async () => ({ bytes: A_PNG, contentType: 'image/png' as const });
  const runs = Array.from({ length: CALLS_AT_ONCE }, (_, id) => completedRun(ours, fetched, { id: `${id}` }));
  const downloads = runs.map((run) => downloadPicture(run, 0, TASKS.completed));
  await allWait.promise;
  const call = async () => 'made';
  const made = rateLimiter.run(guildOrMember(aJob()), 'poll', call);
  expect(rateLimiter.waiting()).toBe(0);
  expect(await made).toBe('made');
  giveBack();
  for (const one of downloads) expect(await one).toMatchObject({ task: 0 });
});
