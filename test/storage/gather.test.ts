import { createDeferred } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { gather } from '../../src/storage/gather.ts';

/** A batch that ends when the test says so, and every batch that was begun. */
function gathered(giveUpAfterMs: number) {
  const batches: (readonly string[])[] = [];
  const first = createDeferred<void>();
  const ask = gather(
    async (items: readonly string[]) => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return items;
    },
    { giveUpAfterMs },
  );
  return { ask, batches, endFirst: () => first.resolve() };
}

test('what is asked for while a batch runs goes into the next one together', async () => {
  const { ask, batches, endFirst } = gathered(60_000);
  const answers = [ask('one')];
  await expect.poll(() => batches).toHaveLength(1);
  answers.push(ask('two'), ask('three'));
  endFirst();
  expect(await Promise.all(answers)).toEqual(['one', 'two', 'three']);
  expect(batches).toEqual([['one'], ['two', 'three']]);
});

test('what nobody waits for any more is not done', async () => {
  const { ask, batches, endFirst } = gathered(0);
  const never = gathered(60_000);
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
