import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createCache } from '../src/index.ts';

test('a value holds for its time after it was set, and no longer', async () => {
  const clock = createFakeClock();
  const cache = createCache<string, number>({ max: 10, ttlMs: 100, clock });
  cache.set('one', 1);
  await clock.advance(50);
  cache.set('two', 2);
  await clock.advance(49);
  expect([cache.get('one'), cache.get('two')]).toEqual([1, 2]);
  await clock.advance(1);
  expect([cache.get('one'), cache.get('two')]).toEqual([undefined, 2]);
  cache.delete('two');
  expect(cache.get('two')).toBeUndefined();
});

test('no value holds for longer because the clock was set back', async () => {
  const clock = createFakeClock();
  const cache = createCache<string, number>({ max: 10, ttlMs: 100, clock });
  cache.set('one', 1);
  clock.setBack(60_000);
  expect(cache.get('one')).toBe(1);
  await clock.advance(100);
  expect(cache.get('one')).toBeUndefined();
});

test('of more than there may be, the oldest are forgotten', () => {
  const cache = createCache<string, number>({ max: 2, ttlMs: 100, clock: createFakeClock() });
  cache.set('one', 1);
  cache.set('two', 2);
  cache.set('one', 3);
  cache.set('three', 3);
  expect([cache.get('one'), cache.get('two'), cache.get('three')]).toEqual([3, undefined, 3]);
});

test('what is not known is made once, also where it is on its way', async () => {
  const clock = createFakeClock();
  const cache = createCache<string, Promise<number>>({ max: 2, ttlMs: 100, clock });
  let made = 0;
  const recall = () => cache.recall('one', async () => ++made);
  expect(await Promise.all([recall(), recall()])).toEqual([1, 1]);
  await clock.advance(100);
  expect(await recall()).toBe(2);
});

test('what could not be made is made anew, and takes nothing away that was set meanwhile', async () => {
  const cache = createCache<string, Promise<number>>({ max: 2, ttlMs: 100, clock: createFakeClock() });
  const recall = (made: number | Error) =>
    cache.recall('one', async () => {
      if (made instanceof Error) throw made;
      return made;
    });
  await expect(recall(new Error('away'))).rejects.toThrow('away');
  const second = recall(new Error('away again'));
  cache.set('one', Promise.resolve(2));
  await expect(second).rejects.toThrow('away again');
  expect(await recall(3)).toBe(2);
  cache.delete('one');
  expect(await recall(3)).toBe(3);
});
