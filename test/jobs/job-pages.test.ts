import { createVault } from '@darkroom/storage';
import { expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import type { JobPage, JobPageRequest } from '../../src/jobs/job-pages.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { aJob } from '../support/job.ts';
import { createStoreWorld } from '../support/store.ts';

const MEMBER = aJob().member.id;

/** Some jobs of one member, the first the oldest, named by their places: `1` is `100000000000000001`. */
async function pagesWorld(states: Partial<Record<number, Job['state']>>) {
  const { store } = await createStoreWorld();
  const jobs = createJobStore({ store, vault: createVault(['ab'.repeat(32)]) });
  const idOf = (nth: number) => `${100000000000000000n + BigInt(nth)}`;
  const add = (nth: number, state: Job['state'] = 'delivered') => {
    const submission = { prompt: `fox number ${nth}`, width: 512, height: 512 };
    return jobs.create(aJob({ id: idOf(nth), state, submission }));
  };
  for (const [nth, state] of Object.entries(states)) await add(Number(nth), state);
  const numbers = (page: JobPage) => page.jobs.map(({ id }) => Number(BigInt(id) - 100000000000000000n));
  return {
    jobs,
    add,
    numbers,
    page: (request: Omit<JobPageRequest, 'limit'> = {}) => jobs.page(MEMBER, { limit: 3, ...request }),
  };
}

const eight = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [index + 1, 'delivered' as const]));
const older = (page: JobPage): Omit<JobPageRequest, 'limit'> =>
  page.older ? { from: { cursor: page.older, towards: 'older' } } : {};
const newer = (page: JobPage): Omit<JobPageRequest, 'limit'> =>
  page.newer ? { from: { cursor: page.newer, towards: 'newer' } } : {};

test('all jobs of a member come page by page, newest first, there and back', async () => {
  const { page, numbers, jobs } = await pagesWorld(eight);
  await jobs.create(aJob({ id: '900000000000000001', member: { id: '200000000000000002', locale: 'en' } }));
  const first = await page();
  const second = await page(older(first));
  const third = await page(older(second));
  expect([first, second, third].map(numbers)).toEqual([
    [8, 7, 6],
    [5, 4, 3],
    [2, 1],
  ]);
  expect([first.newer, third.older]).toEqual([undefined, undefined]);
  expect(numbers(await page(newer(third)))).toEqual([5, 4, 3]);
  expect(numbers(await page(newer(second)))).toEqual([8, 7, 6]);
});

test('jobs that are asked for meanwhile move no page', async () => {
  const { page, numbers, add } = await pagesWorld(eight);
  const first = await page();
  await add(9);
  const second = await page(older(first));
  expect(numbers(second)).toEqual([5, 4, 3]);
  const back = await page(newer(second));
  expect(numbers(back)).toEqual([8, 7, 6]);
  expect(numbers(await page(newer(back)))).toEqual([9, 8, 7]);
});

test('what is not over stands first, however old, and only once', async () => {
  const { page, numbers, jobs } = await pagesWorld({ ...eight, 2: 'waiting', 5: 'developing' });
  const first = await page();
  expect(numbers(first)).toEqual([5, 2, 8]);
  expect(numbers(await page(older(first)))).toEqual([7, 6, 4]);
  expect(numbers(await page({ isOpen: true }))).toEqual([5, 2]);
  expect(numbers(await page({ isOpen: false }))).toEqual([8, 7, 6]);
  const [running] = first.jobs;
  if (running) await jobs.saveAndSettle({ ...running, state: 'delivered' });
  expect(numbers(await page())).toEqual([2, 8, 7]);
});

test('what is wanted is looked for among so many jobs, and the next page goes on from there', async () => {
  const { page, numbers, add } = await pagesWorld({});
  await Promise.all(Array.from({ length: 504 }, (_, index) => add(index + 1)));
  const isWanted = ({ submission }: Job) => `${submission.prompt}`.endsWith(' 2');
  const none = await page({ isWanted });
  expect(none).toMatchObject({ jobs: [], lookedUntil: expect.any(Number) });
  const found = await page({ isWanted, ...older(none) });
  expect(numbers(found)).toEqual([2]);
  expect(found).toMatchObject({ older: undefined, lookedUntil: undefined });
});
