import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { collectUntil, createBatch } from '../src/index.ts';

/** A batch that ends when the test says so, and every batch that was begun. */
function batchesOf(giveUpAfterMs: number) {
  const batches: (readonly string[])[] = [];
  const first = createDeferred<void>();
  const ask = createBatch(
    async (items: readonly string[]) => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return items;
    },
    { giveUpAfterMs, collect: collectUntil.endOfMicrotasks },
  );
  return { ask, batches, endFirst: () => first.resolve() };
}

test('what is asked for while a batch runs goes into the next one together', async () => {
  const { ask, batches, endFirst } = batchesOf(60_000);
  const answers = [ask('one')];
  await expect.poll(() => batches).toHaveLength(1);
  answers.push(ask('two'), ask('three'));
  endFirst();
  expect(await Promise.all(answers)).toEqual(['one', 'two', 'three']);
  expect(batches).toEqual([['one'], ['two', 'three']]);
});

test('what nobody waits for any more is not done', async () => {
  const { ask, batches, endFirst } = batchesOf(0);
  const never = batchesOf(60_000);
  const leaving = new AbortController();
  const first = never.ask('one');
  await expect.poll(() => never.batches).toHaveLength(1);
  const left = never.ask('left', leaving.signal);
  leaving.abort(new Error('gone'));
  never.endFirst();
  await expect(left).rejects.toThrow('gone');
  expect(await first).toBe('one');
  expect(never.batches).toEqual([['one']]);

  await expect(ask('late')).rejects.toThrow('did not come within');
  endFirst();
  expect(batches).toEqual([]);
});

test('what is asked for at the same time is done together, at most so many at once, and each gets its own answer', async () => {
  const sizes: number[] = [];
  const double = createBatch<number, number>(
    async (items) => {
      sizes.push(items.length);
      return items.map((item) => (item === 3 ? new Error('not three') : item * 2));
    },
    { max: 4 },
  );
  const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => double(item)));
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason))),
  ).toEqual([2, 4, 'Error: not three', 8, 10, 12]);
  expect(sizes).toEqual([4, 2]);
  expect(await double(7)).toBe(14);
});

test('a batch that fails fails each of its items, and the next one is not concerned', async () => {
  let broken = true;
  const echo = createBatch<number, number>(
    async (items) => {
      if (broken) throw new Error('no database');
      return items;
    },
    { max: 2 },
  );
  const answers = await Promise.allSettled([1, 2].map((item) => echo(item)));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await echo(3)).toBe(3);
});
