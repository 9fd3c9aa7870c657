import { failureOf } from '@darkroom/testing';
import { retry, retryWaitMs } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOWNLOAD_RETRIES, READ_RETRIES, WRITE_RETRIES } from '../../src/client/retry-policies.ts';
import { ServiceError, type ServiceErrorKind } from '../../src/service-error.ts';

const broken = new ServiceError('broken', 'broken');
const half = () => 0.5;

test('waits double up to the longest, and their upper half is random', () => {
  const wait = (attempt: number, random: () => number) =>
    retryWaitMs(broken, READ_RETRIES, { attempt, elapsedMs: 0, random });
  expect([1, 2, 3, 4, 5].map((attempt) => wait(attempt, () => 0))).toEqual([250, 500, 1_000, 2_000, 2_000]);
  expect([1, 2, 3, 4, 5].map((attempt) => wait(attempt, half))).toEqual([375, 750, 1_500, 3_000, 3_000]);
});

test('a wait is never shorter than Retry-After and never ends after the budget', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.nat(30_000),
      fc.option(fc.nat(40_000), { nil: undefined }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, elapsedMs, retryAfterMs, draw) => {
        const error = new ServiceError('busy', 'busy', { retryAfterMs });
        const waitMs = retryWaitMs(error, WRITE_RETRIES, { attempt, elapsedMs, random: () => draw });
        if (waitMs === undefined) return;
        expect(waitMs).toBeGreaterThanOrEqual(Math.max(retryAfterMs ?? 0, WRITE_RETRIES.firstMs / 2));
        expect(elapsedMs + waitMs).toBeLessThanOrEqual(WRITE_RETRIES.budgetMs);
      },
    ),
  );
});

test('what changes something is repeated only where nothing can have happened; reads wherever it may help', () => {
  const kinds = (policy: typeof READ_RETRIES) =>
    (
      [
        'unreachable',
        'timeout',
        'interrupted',
        'busy',
        'broken',
        'refused',
        'unauthorized',
        'insufficient-balance',
        'not-found',
        'protocol',
        'blocked',
      ] satisfies ServiceErrorKind[]
    ).filter((kind) => policy.isRetryable(new ServiceError(kind, kind)));
  expect(kinds(WRITE_RETRIES)).toEqual(['unreachable', 'busy']);
  expect(kinds(READ_RETRIES)).toEqual([
    'unreachable',
    'timeout',
    'interrupted',
    'busy',
    'broken',
    'protocol',
  ]);
});

test('retries end with the last error once the budget is used up', async () => {
  const clock = createFakeClock({ jumps: true });
  let attempts = 0;
  const failure = await failureOf(
    retry(
      () => {
        attempts += 1;
        return Promise.reject(new ServiceError('broken', `attempt ${attempts}`));
      },
      { policy: READ_RETRIES, clock, random: half },
    ),
  );
  expect(clock.sleeps).toEqual([375, 750, 1_500, 3_000, 3_000, 3_000, 3_000]);
  expect(failure).toMatchObject({ message: 'attempt 8' });
});

test('an abort during a wait rejects with the reason of the signal', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const failure = failureOf(
    retry(() => Promise.reject(broken), { policy: READ_RETRIES, clock, random: half, signal: stop.signal }),
  );
  await clock.settle();
  expect(clock.asleep).toBe(1);
  stop.abort('enough');
  expect(await failure).toBe('enough');
  expect(clock.asleep).toBe(0);
});

test('an error that is not about the service is not repeated', async () => {
  const clock = createFakeClock({ jumps: true });
  const bug = new TypeError('a bug');
  expect(
    await failureOf(retry(() => Promise.reject(bug), { policy: READ_RETRIES, clock, random: half })),
  ).toBe(bug);
  expect(clock.sleeps).toEqual([]);
});

test('after a picture that hung in silence for 15 s there is time for two more attempts', () => {
  const hung = new ServiceError('timeout', 'silence');
  const wait = (attempt: number, elapsedMs: number) =>
    retryWaitMs(hung, DOWNLOAD_RETRIES, { attempt, elapsedMs, random: half });
  expect([wait(1, 15_000), wait(2, 30_375), wait(3, 46_125)]).toEqual([375, 750, undefined]);
});
