import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfter } from '../../src/client/retry-after.ts';

const now = Date.UTC(2026, 0, 1);

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 1.5 ', 1_500],
  [['3', '9'], 3_000],
  ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});

test.each([
  ['Thu, 01 Jan 2026 00:00:20 GMT', 'Wed, 31 Dec 2025 23:59:50 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:59:50 GMT', 'Wed, 31 Dec 2025 23:59:00 GMT', 50_000],
  ['Thu, 01 Jan 2026 00:00:20 GMT', 'yesterday', 20_000],
  ['7', 'Wed, 31 Dec 2025 23:59:00 GMT', 7_000],
])('Retry-After %j in an answer of %j is %j ms, whatever our clock says', (header, date, expected) => {
  expect(readRetryAfter(header, now, date)).toBe(expected);
});

test('any header gives a wait that is not negative and not NaN, or none', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const waitMs = readRetryAfter(header, now);
      expect(waitMs === undefined || waitMs >= 0).toBe(true);
    }),
  );
});
