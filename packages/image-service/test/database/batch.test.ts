import { expect, test } from 'vitest';
import { createBatch } from '../../src/database/batch.ts';

test('what is asked for at the same time is done together, at most so many at once, and each gets its own answer', async () => {
  const sizes: number[] = [];
  const double = createBatch<number, number>(4, async (items) => {
    sizes.push(items.length);
    return items.map((item) => (item === 3 ? { error: new Error('not three') } : { result: item * 2 }));
  });
  const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(double));
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason))),
  ).toEqual([2, 4, 'Error: not three', 8, 10, 12]);
  expect(sizes).toEqual([4, 2]);
  expect(await double(7)).toBe(14);
});

test('a batch that fails fails each of its items, and the next one is not concerned', async () => {
  let broken = true;
  const echo = createBatch<number, number>(2, async (items) => {
    if (broken) throw new Error('no database');
    return items.map((result) => ({ result }));
  });
  const answers = await Promise.allSettled([1, 2].map(echo));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await echo(3)).toBe(3);
});
