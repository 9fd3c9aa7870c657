import { expect, test } from 'vitest';
import { readRateLimit } from '../../src/client/rate-limit.ts';

test.each([
  [
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '42' },
    { remaining: 0, resetMs: 42_000 },
  ],
  [
    { 'ratelimit-remaining': '7', 'ratelimit-reset': '1' },
    { remaining: 7, resetMs: 1_000 },
  ],
  [{ 'ratelimit-remaining': '0' }, undefined],
  [{ 'ratelimit-remaining': 'none', 'ratelimit-reset': '1' }, undefined],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1795338713' }, undefined],
  [{}, undefined],
])('%j allows %j', (headers, limit) => {
  expect(readRateLimit(headers)).toEqual(limit);
});
