import { ServiceError, type ServiceErrorKind } from '@darkroom/image-api';
import { HOUR_MS } from '@darkroom/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isTransient,
  pollBackoffMs,
  pollIntervalMs,
  resumedPollMs,
  TICK_MS,
} from '../../../src/jobs/service-calls/poll-timing.ts';

const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failuresInRow = fc.integer({ min: 1, max: 2_000 });
const broken = new ServiceError('broken', 'a problem of its own');

test('after an answer 2 to 3 seconds pass, even where the task is late in its tick', () => {
  fc.assert(
    fc.property(draw, (random) => {
      const wait = pollIntervalMs(random);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(2_000);
      expect(wait + TICK_MS).toBeLessThanOrEqual(3_000);
    }),
  );
});

test('thousands of tasks that are resumed together are first polled no faster than ever after', () => {
  fc.assert(
    fc.property(draw, (random) => {
      expect(Math.abs(resumedPollMs(random) - 2_000 * random)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test('after a failure at least 1.5 and at most 8 seconds pass, however many there were', () => {
  fc.assert(
    fc.property(failuresInRow, draw, (failures, random) => {
      const wait = pollBackoffMs(broken, failures, random);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(1_500);
      expect(wait).toBeLessThanOrEqual(8_000);
    }),
  );
});

test('one more failure never shortens the wait, and jitter only lengthens it', () => {
  fc.assert(
    fc.property(failuresInRow, draw, draw, (failures, random, other) => {
      const wait = pollBackoffMs(broken, failures, random);
      expect(pollBackoffMs(broken, failures + 1, random)).toBeGreaterThanOrEqual(wait);
      const [less, more] = [Math.min(random, other), Math.max(random, other)];
      expect(pollBackoffMs(broken, failures, more)).toBeGreaterThanOrEqual(
        pollBackoffMs(broken, failures, less),
      );
    }),
  );
});

test('no less passes than the service asks for, nor than after any other failure', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: HOUR_MS }),
      failuresInRow,
      draw,
      (retryAfterMs, failures, random) => {
        const error = new ServiceError('busy', 'too much to do', { retryAfterMs });
        const wait = pollBackoffMs(error, failures, random);
        expect(wait).toBeGreaterThanOrEqual(Math.max(retryAfterMs, pollBackoffMs(broken, failures, random)));
        expect(wait).toBeLessThanOrEqual(Math.max(retryAfterMs, 4_000) + 4_000);
      },
    ),
  );
});

test.each(['not-found', 'refused'] as const)('what is %s has ten seconds to become known', (kind) => {
  const unknown = new ServiceError(kind, 'no such picture');
  expect(isTransient(unknown, 9_999)).toBe(true);
  expect(isTransient(unknown, 10_000)).toBe(false);
});

test('what another poll can mend is transient, and a mistake of ours is not', () => {
  const worth = (kind: ServiceErrorKind) => isTransient(new ServiceError(kind, ''), 60_000);
  const again = ['unreachable', 'timeout', 'interrupted', 'busy', 'broken', 'protocol'] as const;
  const never = ['refused', 'unauthorized', 'insufficient-balance', 'not-found', 'blocked'] as const;
  expect(again.map(worth)).toEqual(again.map(() => true));
  expect(never.map(worth)).toEqual(never.map(() => false));
  expect(isTransient(new TypeError('x is undefined'), 0)).toBe(false);
});
