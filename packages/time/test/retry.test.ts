import { failureOf } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { type RetryPolicy, retry } from '../src/retry.ts';

const half = () => 0.5;

/** Retries what always fails with `policy` on a clock that jumps: the waits, and the error in the end. */
async function retried(
  policy: RetryPolicy,
  fail: (count: number) => Error = (count) => new Error(`${count}`),
) {
  const clock = createFakeClock({ jumps: true });
  const told: string[] = [];
  const failure = await failureOf(
    retry((count) => Promise.reject(fail(count)), {
      policy,
      clock,
      random: half,
      onRetry: (error, waitMs) => void told.push(`${error} ${waitMs}`),
    }),
  );
  return { waits: clock.sleeps, failure, told };
}

test('what fails is attempted as often as the policy says, and the last error is the result', async () => {
  const { waits, failure, told } = await retried({ maxAttempts: 4 });
  expect(waits).toEqual([750, 1_500, 3_000]);
  expect(failure).toEqual(new Error('4'));
  expect(told).toEqual(['Error: 1 750', 'Error: 2 1500', 'Error: 3 3000']);
});

test('a wait that the budget does not cover is not begun', async () => {
  const { waits, failure } = await retried({ budgetMs: 3_000 });
  expect(waits).toEqual([750, 1_500]);
  expect(failure).toEqual(new Error('3'));
});

test('or it is cut short to a last attempt at the end of the budget', async () => {
  const { waits, failure } = await retried({ budgetMs: 3_000, lastAttemptAtEnd: true });
  expect(waits).toEqual([750, 1_500, 750]);
  expect(failure).toEqual(new Error('4'));
  const hour = () => 3_600_000;
  expect((await retried({ budgetMs: 3_000, lastAttemptAtEnd: true, retryAfterMs: hour })).waits).toEqual([
    3_000,
  ]);
});

test('a budget does not grow where the clock is set back', async () => {
  const clock = createFakeClock({ jumps: true });
  async function attempt(count: number): Promise<void> {
    if (count === 1) clock.setBack(3_600_000);
    throw new Error('no answer');
  }
  await failureOf(retry(attempt, { policy: { budgetMs: 3_000 }, clock, random: half }));
  expect(clock.sleeps).toEqual([750, 1_500]);
});

test('an attempt during which the machine sleeps past the end is followed by a last one', async () => {
  const clock = createFakeClock({ jumps: true });
  const asleep = async () => {
    await clock.advance(3_600_000);
    throw new Error('the connection is gone');
  };
  const attempts = async (policy: RetryPolicy) => {
    const { sleeps } = clock;
    const before = sleeps.length;
    await failureOf(retry(asleep, { policy, clock, random: half }));
    return sleeps.slice(before);
  };
  expect(await attempts({ budgetMs: 3_000, lastAttemptAtEnd: true, retryAfterMs: () => 9_000 })).toEqual([
    750,
  ]);
  expect(await attempts({ budgetMs: 3_000 })).toEqual([]);
});

test('a wait is as long as the other side asks', async () => {
  const { waits } = await retried({ maxAttempts: 3, retryAfterMs: () => 10_000 });
  expect(waits).toEqual([10_250, 10_500]);
});

test('what is not retryable is attempted once', async () => {
  const { waits, failure } = await retried({ isRetryable: () => false });
  expect(waits).toEqual([]);
  expect(failure).toEqual(new Error('1'));
});

test('the first success ends it', async () => {
  const clock = createFakeClock({ jumps: true });
  const attempt = async (count: number) => {
    if (count < 3) throw new Error('not yet');
    return `done at ${count}`;
  };
  expect(await retry(attempt, { policy: {}, clock, random: half })).toBe('done at 3');
});

test('an attempt that fails once the signal is aborted is followed by none, and nobody hears that one would', async () => {
  const stop = new AbortController();
  const heard: unknown[] = [];
  const attempt = async () => {
    stop.abort(new Error('enough'));
    throw new Error('cut off');
  };
  await expect(
    retry(attempt, {
      policy: { isRetryable: () => true },
      clock: createFakeClock(),
      signal: stop.signal,
      onRetry: (error) => heard.push(error),
    }),
  ).rejects.toThrow('enough');
  expect(heard).toEqual([]);
});

test('an abort ends the wait with the reason of the signal', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const { signal } = stop;
  const failure = failureOf(
    retry(() => Promise.reject(new Error('no')), { policy: {}, clock, random: half, signal }),
  );
  await clock.settle();
  expect(clock.asleep).toBe(1);
  stop.abort('enough');
  expect(await failure).toBe('enough');
  expect(clock.asleep).toBe(0);
});
