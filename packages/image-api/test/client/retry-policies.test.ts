import { failureOf } from '@darkroom/testing';
import { type RetryPolicy, retry } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOWNLOAD_RETRIES, READ_RETRIES, WRITE_RETRIES } from '../../src/client/retry-policies.ts';
import { ServiceError, type ServiceErrorKind } from '../../src/service-error.ts';

const broken = new ServiceError('broken', 'broken');
const half = () => 0.5;

/** How long each wait is, and when it ends, where attempts take so long and fail with these errors. */
async function waitsAfter(
  failures: readonly { error: ServiceError; takesMs?: number }[],
  { policy, random = half }: { policy: RetryPolicy; random?: () => number },
) {
  const clock = createFakeClock({ jumps: true, startAt: 0 });
  const waits: { waitMs: number; endsAt: number }[] = [];
  await retry(
    async (count) => {
      const failure = failures[count - 1];
      if (!failure) return;
      if (failure.takesMs) await clock.sleep(failure.takesMs);
      throw failure.error;
    },
    {
      policy,
      clock,
      random,
      onRetry: (_, waitMs) => waits.push({ waitMs, endsAt: clock.now() + waitMs }),
    },
  ).catch(() => undefined);
  return waits;
}

test('waits double up to the longest, and their upper half is random', async () => {
  const failures = Array.from({ length: 5 }, () => ({ error: broken }));
  const waits = async (random: () => number) =>
    (await waitsAfter(failures, { policy: READ_RETRIES, random })).map(({ waitMs }) => waitMs);
  expect(await waits(() => 0)).toEqual([250, 500, 1_000, 2_000, 2_000]);
  expect(await waits(half)).toEqual([375, 750, 1_500, 3_000, 3_000]);
});

test('a wait is never shorter than Retry-After and never ends after the budget', async () => {
  const failure = fc.record({
    retryAfterMs: fc.option(fc.nat(20_000), { nil: undefined }),
    takesMs: fc.nat(10_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(failure, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (given, draw) => {
        const failures = given.map(({ takesMs, ...asked }) => ({
          takesMs,
          error: new ServiceError('busy', 'busy', asked),
        }));
        const waits = await waitsAfter(failures, { policy: WRITE_RETRIES, random: () => draw });
        for (const [at, { waitMs, endsAt }] of waits.entries()) {
          const least = Math.max(given[at]?.retryAfterMs ?? 0, WRITE_RETRIES.firstMs / 2);
          expect(waitMs).toBeGreaterThanOrEqual(least);
          expect(endsAt).toBeLessThanOrEqual(WRITE_RETRIES.budgetMs);
        }
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

test('after a picture that hung in silence for 15 s there is time for two more attempts', async () => {
  const hung = { error: new ServiceError('timeout', 'silence'), takesMs: 15_000 };
  const waits = await waitsAfter([hung, hung, hung, hung], { policy: DOWNLOAD_RETRIES });
  expect(waits.map(({ waitMs }) => waitMs)).toEqual([375, 750]);
});
