import { expect, test } from 'vitest';
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
