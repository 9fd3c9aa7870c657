import { join } from 'node:path';
import { createSemaphore } from '@darkroom/time';
import { expect, test } from 'vitest';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { deliverOutcome } from '../../src/jobs/deliver.ts';
import { generate } from '../../src/jobs/generate.ts';
import type { Job } from '../../src/jobs/job.ts';
import { openPictureSpool } from '../../src/jobs/picture-spool.ts';
import { createRun, type RunDependencies } from '../../src/jobs/run.ts';
import { resumeJob } from '../../src/jobs/run-job.ts';
import { aJob, TASKS } from '../support/job.ts';
import { createJobWorld, DELIVERED, type Script } from '../support/job-world.ts';

const SECRETS = { apiKey: 'sk-1', interactionToken: 'a token' };
const PICTURE = { task: 0, contentType: 'image/png', bytes: A_PNG };
const FINISHED = { task: 0, size: A_PNG.byteLength, read: () => Promise.resolve(PICTURE) };
const { signal } = new AbortController();

const runOf = (job: Job, deps: RunDependencies) => createRun(job, { abandoned: signal }, deps);

/** A job in the store, its run, and what its steps need. */
async function phaseWorld(job: Job, script: Partial<Script> = {}) {
  const world = await createJobWorld(script);
  const { deps, jobs } = await world.startTracker();
  await jobs.create(job);
  const run = runOf(job, deps);
  const generating = async () => {
    const generated = generate(run);
    let settled = false;
    void generated.finally(() => {
      settled = true;
    });
    await world.pass(() => settled);
    return generated;
  };
  const generated = async () => {
    const pictures = await generating();
    return { job: run.job(), pictures: await Promise.all(pictures.map((picture) => picture.read(signal))) };
  };
  return { ...world, run, deps, jobs, generating, generated };
}

test('generating takes a job with a task under way to one with a picture, and writes it', async () => {
  const job = aJob({ tasks: [TASKS.following], secrets: SECRETS });
  const { generated, jobs } = await phaseWorld(job);
  const { job: ended, pictures } = await generated();
  expect(ended).toMatchObject({ state: 'delivering', tasks: [{ state: 'completed' }] });
  expect(pictures).toEqual([PICTURE]);
  expect(await jobs.find(job.id)).toEqual(ended);
});

test('generating pays for nothing where the interaction of a job was not answered', async () => {
  const job = aJob({ state: 'asked', tasks: [TASKS.planned], secrets: SECRETS });
  const { generated, submissions } = await phaseWorld(job);
  const { job: ended, pictures } = await generated();
  expect(ended).toMatchObject({ state: 'delivering', tasks: [{ failure: { kind: 'restarted' } }] });
  expect(pictures).toEqual([]);
  expect(submissions).toEqual([]);
});

test('generating loads the pictures of a job that waits', async () => {
  const job = aJob({ state: 'waiting' });
  const { generated, jobs, service } = await phaseWorld(job);
  service.download = () => Promise.reject(new Error('not needed'));
  await jobs.savePictures(job, [PICTURE]);
  expect((await generated()).pictures).toEqual([PICTURE]);
});

test('the picture of a job that waits is in the store alone where the disk has no room for it', async () => {
  const job = aJob({ state: 'waiting' });
  const { deps, jobs, folder, log } = await phaseWorld(job);
  await jobs.savePictures(job, [PICTURE]);
  const spool = await openPictureSpool({ folder: join(folder, 'full'), log, limit: 0 });
  const pictures = await generate(runOf(job, { ...deps, pictures: { ...deps.pictures, spool } }));
  expect(await pictures[0]?.read(signal)).toEqual(PICTURE);
  await jobs.saveAndSettle({ ...job, state: 'delivered' });
  await expect(pictures[0]?.read(signal)).rejects.toThrow(`picture 0 of job ${job.id}`);
});

test('delivering takes a job to its end, without its secrets', async () => {
  const job = aJob({ state: 'delivering', secrets: SECRETS });
  const { run, jobs, delivered } = await phaseWorld(job);
  const { secrets: _spent, ...rest } = job;
  const over = { ...rest, state: 'delivered', posted: DELIVERED.message };
  expect(await deliverOutcome(run, [FINISHED])).toEqual(over);
  expect(await jobs.find(job.id)).toEqual(over);
  expect(delivered).toEqual([{ job, pictures: [PICTURE] }]);
});

test('delivering saves what is refused, and says why it waits', async () => {
  const job = aJob({ state: 'delivering' });
  const deliver = () => Promise.resolve({ state: 'waiting', reason: 'refused' } as const);
  const { run, jobs } = await phaseWorld(job, { deliver });
  const waiting = await deliverOutcome(run, [FINISHED]);
  expect(waiting).toEqual({ ...job, state: 'waiting', waitReason: 'refused', savedBytes: A_PNG.byteLength });
  expect(await jobs.loadPictures(job.id)).toEqual([PICTURE]);
});

test('pictures that waited take as much memory as they have bytes', async () => {
  const deliver = () => Promise.resolve({ state: 'waiting', reason: 'refused' } as const);
  const { run, deps } = await phaseWorld(aJob({ state: 'delivering' }), { deliver });
  const waiting = await deliverOutcome(run, [FINISHED]);
  const memory = createSemaphore(2 * A_PNG.byteLength);
  await memory.acquire(A_PNG.byteLength);
  const again = runOf(waiting, { ...deps, pictures: { ...deps.pictures, memory } });
  expect(await generate(again)).toMatchObject([{ saved: true }]);
});

test('what has waited already and still does leaves nothing on disk but in the store', async () => {
  const job = aJob({ state: 'waiting', waitReason: 'unconfirmed' });
  const deliver = () => Promise.resolve({ state: 'waiting', reason: 'unconfirmed' } as const);
  const { run, deps, jobs, generating } = await phaseWorld(job, { deliver });
  await jobs.savePictures(job, [PICTURE]);
  const pictures = await generating();
  expect(deps.pictures.spool.find(job.id, 0)).toBeDefined();
  await deliverOutcome(run, pictures);
  expect(deps.pictures.spool.find(job.id, 0)).toBeUndefined();
  expect(await jobs.loadPictures(job.id)).toEqual([PICTURE]);
});

test('what could not be saved when it came to wait is saved the next time', async () => {
  const job = aJob({ state: 'waiting', waitReason: 'unconfirmed' });
  const deliver = () => Promise.resolve({ state: 'waiting', reason: 'unconfirmed' } as const);
  const { run, deps, jobs, generating } = await phaseWorld(job, { deliver });
  const pictures = await generating();
  await deliverOutcome(run, pictures);
  expect(await jobs.loadPictures(job.id)).toEqual([PICTURE]);
  expect(deps.pictures.spool.find(job.id, 0)).toBeUndefined();
});

test('an earlier delivery is looked for until Discord answers', async () => {
  const answers = [new Error('503'), new Error('503')];
  const find = () => {
    const error = answers.shift();
    return error ? Promise.reject(error) : Promise.resolve({ state: 'absent' } as const);
  };
  const { run, clock, delivered } = await phaseWorld(aJob({ state: 'delivering' }), { find });
  const resumed = resumeJob(run, createSemaphore(1));
  await clock.advance(10_000);
  expect(await resumed).toMatchObject({ state: 'delivered' });
  expect([answers, delivered.length]).toEqual([[], 1]);
});
