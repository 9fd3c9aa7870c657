import { expect, test } from 'vitest';
import { styledTime } from '../../src/page/timestamps.ts';

test.each([
  [12, 'in 12 seconds'],
  [7_199, 'in 2 hours'],
  [3_590, 'in 1 hour'],
  [89, 'in 1 minute'],
  [-3 * 86_400 + 1, '3 days ago'],
])('a time that is %i seconds away is rounded: %s', (seconds, words) => {
  expect(styledTime('en-US', new Date(Date.now() + seconds * 1_000), 'R')).toBe(words);
});
