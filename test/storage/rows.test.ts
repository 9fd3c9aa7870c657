import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEachStore } from '../support/each-store.ts';

describeEachStore((open) => {
  test('a row is deleted where it is what it is taken for, and what others write meanwhile stays', async () => {
    const numbers = (await open()).collection('numbers', z.number());
    const deleteIf = async (taken: number) =>
      (await numbers.update('a', (value) => (value === taken ? null : undefined))) === null;
    for (let nth = 0; nth < 20; nth++) {
      await numbers.set('a', 1);
      await Promise.all([deleteIf(1), numbers.set('a', 2)]);
      expect(await numbers.get('a')).toBe(2);
    }
    expect(await deleteIf(1)).toBe(false);
    expect(await deleteIf(2)).toBe(true);
    expect(await numbers.get('a')).toBeUndefined();
  });

  test.each(['taken', 'inserted'])(
    'a row that has expired is not in the way of one that is %s',
    async (how) => {
      const store = await open();
      const numbers = store.collection('numbers', z.number());
      await Promise.all([
        numbers.set('first', 1, 1),
        numbers.set('second', 1, 1),
        numbers.set('third', 1, HOUR_MS),
      ]);
      await delay(20);
      const rows = ['first', 'second', 'third'].map((id) => numbers.row(id, 2, HOUR_MS));
      if (how === 'inserted') expect(await store.insert(rows)).toBe(true);
      else expect(await store.take([{ key: 'all', amount: 1 }], { rows })).toEqual({ state: 'taken' });
      expect(await numbers.getMany(['first', 'second', 'third'])).toEqual([2, 2, 1]);
    },
  );

  test('where a row that is read has expired, or cannot be read, what others write meanwhile stays', async () => {
    const store = await open();
    const numbers = store.collection('numbers', z.number());
    const ids = Array.from({ length: 20 }, (_, nth) => `${nth}`);
    const readWhileWritten = async (read: (id: string) => Promise<unknown>) => {
      await Promise.all(ids.flatMap((id) => [read(id), numbers.set(id, 2)]));
      return numbers.getMany(ids);
    };
    await Promise.all(ids.map((id) => numbers.set(id, 1, 1)));
    await delay(20);
    expect(await readWhileWritten(numbers.get)).toEqual(ids.map(() => 2));
    await Promise.all(ids.map((id) => numbers.set(id, 1, 1)));
    await delay(20);
    expect(await readWhileWritten((id) => numbers.getMany([id]))).toEqual(ids.map(() => 2));
    await Promise.all(ids.map((id) => store.collection('numbers', z.string()).set(id, 'one')));
    expect(await readWhileWritten(numbers.get)).toEqual(ids.map(() => 2));
  });

  test('ids are listed as their rows are, also of one that cannot be read, and those alone that hold a text', async () => {
    const store = await open();
    const words = store.collection('words', z.string());
    for (const [id, word] of Object.entries({ b: 'fox', a: 'hare', 'b:1': 'red fox', c: 'owl' }))
      await words.set(id, word);
    await store.collection('words', z.number()).set('d', 7);
    await store.collection('wordsmith', z.string()).set('a', 'fox');
    expect(await words.ids()).toEqual(['a', 'b', 'b:1', 'c', 'd']);
    expect(await words.ids({ prefix: 'b:' })).toEqual(['b:1']);
    expect(await words.ids({ holding: 'fox' })).toEqual(['b', 'b:1']);
    expect(await words.ids({ holding: ':1' })).toEqual(['b:1']);
  });

  test('of rows with one key that are new at one moment the first stays', async () => {
    const store = await open();
    const numbers = store.collection('numbers', z.number());
    expect(await Promise.all([1, 2].map((value) => store.insert([numbers.row('a', value)])))).toEqual([
      true,
      false,
    ]);
    const takes = [1, 2].map((value) =>
      store.take([{ key: 'all', amount: 1 }], {
        rows: [numbers.row(`own-${value}`, 0), numbers.row('b', value)],
      }),
    );
    expect(await Promise.all(takes)).toEqual([{ state: 'taken' }, { state: 'taken' }]);
    expect(await numbers.getMany(['a', 'b'])).toEqual([1, 1]);
  });
});
