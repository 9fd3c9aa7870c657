import { failureOf } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBudget } from '../../src/jobs/byte-budget.ts';

const never = () => new AbortController().signal;

test('no more bytes are held at once than there is room for, unless one needs more by itself, and all have their turn', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const budget = createByteBudget(100);
      let held = 0;
      const order: number[] = [];
      await Promise.all(
        all.map((bytes, index) =>
          budget.hold(
            bytes,
            async () => {
              order.push(index);
              held += Math.min(bytes, 100);
              expect(held).toBeLessThanOrEqual(100);
              await new Promise(setImmediate);
              held -= Math.min(bytes, 100);
            },
            never(),
          ),
        ),
      );
      expect(order).toEqual(all.map((_, index) => index));
    }),
    { numRuns: 30 },
  );
});

test('what holds nothing waits for nobody', async () => {
  const budget = createByteBudget(100);
  let end = (): void => undefined;
  const uploads = [1, 2].map(() =>
    budget.hold(100, () => new Promise<void>((resolve) => (end = resolve)), never()),
  );
  let said = false;
  void budget.hold(0, async () => (said = true), never());
  await new Promise(setImmediate);
  expect(said).toBe(true);
  for (const upload of uploads) {
    end();
    await upload;
  }
});

test('who gives up while waiting leaves its place, and a failure its room', async () => {
  const budget = createByteBudget(100);
  const impatient = new AbortController();
  let end = (): void => undefined;
  const first = budget.hold(60, () => new Promise<void>((resolve) => (end = resolve)), never());
  const second = failureOf(budget.hold(60, () => Promise.resolve(), impatient.signal));
  const third = budget.hold(40, () => Promise.reject(new Error('broken')), never());
  impatient.abort(new Error('given up'));
  expect(await second).toMatchObject({ message: 'given up' });
  expect(await failureOf(third)).toMatchObject({ message: 'broken' });
  end();
  await first;
  expect(await budget.hold(100, () => Promise.resolve('room'), never())).toBe('room');
});
