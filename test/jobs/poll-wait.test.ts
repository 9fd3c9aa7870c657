import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError, type ServiceErrorKind } from '../../src/errors.ts';
import {
  ROUND_SLACK_MS,
  waitAfterAnswer,
  waitAfterFailure,
  worthAnotherPoll,
} from '../../src/jobs/poll-wait.ts';

const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failuresInRow = fc.integer({ min: 1, max: 2_000 });
const broken = new ServiceError('broken', 'a problem of its own');

test('after an answer 2 to 3 seconds pass, even where a round takes the task early', () => {
  fc.assert(
    fc.property(draw, (random) => {
      const wait = waitAfterAnswer(random);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait - ROUND_SLACK_MS).toBeGreaterThanOrEqual(2_000);
      expect(wait).toBeLessThanOrEqual(3_000);
    }),
  );
});

test('after a failure at least 1.5 and at most 30 seconds pass, however many there were', () => {
  fc.assert(
    fc.property(failuresInRow, draw, (failures, random) => {
      const wait = waitAfterFailure(broken, failures, random);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait - ROUND_SLACK_MS).toBeGreaterThanOrEqual(1_500);
      expect(wait - ROUND_SLACK_MS).toBeLessThanOrEqual(30_000);
    }),
  );
});

test('one more failure never shortens the wait, and jitter only lengthens it', () => {
  fc.assert(
    fc.property(failuresInRow, draw, draw, (failures, random, other) => {
      const wait = waitAfterFailure(broken, failures, random);
      expect(waitAfterFailure(broken, failures + 1, random)).toBeGreaterThanOrEqual(wait);
      const [less, more] = [Math.min(random, other), Math.max(random, other)];
      expect(waitAfterFailure(broken, failures, more)).toBeGreaterThanOrEqual(
        waitAfterFailure(broken, failures, less),
      );
    }),
  );
});

test('what the service asks for comes before what we would choose', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_600_000 }),
      failuresInRow,
      draw,
      (retryAfterMs, failures, random) => {
        const error = new ServiceError('busy', 'too much to do', { retryAfterMs });
        expect(waitAfterFailure(error, failures, random) - ROUND_SLACK_MS).toBe(retryAfterMs);
      },
    ),
  );
});

test('a task that the service does not know has ten seconds to become known', () => {
  const unknown = new ServiceError('not-found', 'no such task');
  expect(worthAnotherPoll(unknown, 9_999)).toBe(true);
  expect(worthAnotherPoll(unknown, 10_000)).toBe(false);
});

test('what asking again can mend is asked again, and a mistake of ours is not', () => {
  const worth = (kind: ServiceErrorKind) => worthAnotherPoll(new ServiceError(kind, ''), 60_000);
  const again = ['unreachable', 'timeout', 'interrupted', 'busy', 'broken', 'protocol'] as const;
  const never = ['refused', 'unauthorized', 'insufficient-balance', 'not-found', 'blocked'] as const;
  expect(again.map(worth)).toEqual(again.map(() => true));
  expect(never.map(worth)).toEqual(never.map(() => false));
  expect(worthAnotherPoll(new TypeError('x is undefined'), 0)).toBe(false);
});
