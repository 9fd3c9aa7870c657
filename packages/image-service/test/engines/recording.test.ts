import { expect, test } from 'vitest';
import { hasPassed } from '../support/recorded/recording.ts';

const passed = { result: { state: 'pass' } };

test('answers are kept of a run in which every test has passed', () => {
  expect(hasPassed({ tasks: [passed, { tasks: [passed, passed] }] })).toBe(true);
});

test.each([
  { how: 'fails', other: { result: { state: 'fail' } } },
  { how: 'is skipped', other: { result: { state: 'skip' } } },
  { how: 'is not among those that were asked for', other: {} },
])('answers are not kept of a run in which one test $how', ({ other }) => {
  expect(hasPassed({ tasks: [passed, other] })).toBe(false);
  expect(hasPassed({ tasks: [passed, { tasks: [other, passed] }] })).toBe(false);
});
