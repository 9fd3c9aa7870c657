import { expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import { aJob, TASKS } from '../support/job.ts';
import { CALLS_PER_SECOND, checkCalls } from './service-calls.ts';

const { following } = TASKS;
const jobs = [
  aJob({ tasks: [following] }),
  aJob({
    id: '2',
    guildId: '300000000000000002',
    tasks: [{ ...following, taskId: 'other', idempotencyKey: 'another' }],
  }),
];
const calls = (about: string, from: number, count: number, everyMs: number) =>
  Array.from({ length: count }, (_, nth) => ({ at: from + nth * everyMs, about }));

test('as many calls as the limit allows are none too many, in each server', () => {
  const polls = calls(following.taskId, 0, 3 * CALLS_PER_SECOND, 1_000 / CALLS_PER_SECOND);
  const others = calls('other', 0, CALLS_PER_SECOND, 1);
  const inOrder = [...polls, ...others].toSorted((one, other) => one.at - other.at);
  expect(checkCalls(inOrder, jobs)).toEqual({ most: CALLS_PER_SECOND, violations: [] });
});

test('one more, by whichever call, in a second that begins anywhere, is one too many', () => {
  const polls = calls(following.taskId, 500, CALLS_PER_SECOND, 999 / CALLS_PER_SECOND);
  const repeated = { at: 1_499, about: following.idempotencyKey };
  const { most, violations } = checkCalls([...polls, repeated], jobs);
  expect(most).toBe(CALLS_PER_SECOND + 1);
  expect(violations).toHaveLength(1);
});

test('the download of a picture that goes into one of another guild is not counted, as nobody can tell whose it is', () => {
  const { completed } = TASKS;
  const { pathname } = new URL(completed.imageUrl);
  const made = aJob({ tasks: [completed] });
  const input = {
    name: 'task:1',
    payer: made.payer,
    imageUrl: completed.imageUrl,
    workflow: 'anime',
    width: 1,
    height: 1,
  };
  const downloads = calls(pathname, 0, CALLS_PER_SECOND + 1, 1);
  const most = (...jobs: Job[]) => checkCalls(downloads, jobs).most;
  const change = { id: '2', tasks: [following], input };
  expect(most(made, aJob(change))).toBe(CALLS_PER_SECOND + 1);
  expect(most(made, aJob({ ...change, guildId: null }))).toBe(0);
  expect(most(aJob({ ...change, guildId: null }), made)).toBe(0);
  expect(checkCalls(downloads, [made], new Set([made.id])).most).toBe(0);
});
