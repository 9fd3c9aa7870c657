import { expect, test } from 'vitest';
import { backoffMs } from '../src/backoff.ts';

const ATTEMPTS = [1, 2, 3, 4, 5, 6, 7, 2_000];

test('waits double from a second to half a minute, and their upper half is random', () => {
  const waits = (draw: number) => ATTEMPTS.map((attempt) => backoffMs({ attempt, random: () => draw }));
  expect(waits(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(waits(0.5)).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]);
});

test('a wait that the other side asks for is never cut short', () => {
  const wait = (retryAfterMs: number) => backoffMs({ attempt: 1, random: () => 0.5, retryAfterMs });
  expect([0, 400, 60_000].map(wait)).toEqual([750, 750, 60_250]);
});
