import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createBreaker } from '../src/index.ts';

function breakerWorld() {
  const clock = createFakeClock();
  const heard: unknown[] = [];
  const breaker = createBreaker({
    threshold: 3,
    trialMs: 100,
    clock,
    isDown: (error) => (error === 'a refusal' ? false : error === 'a mistake of ours' ? undefined : true),
    onOpen: (error) => heard.push(error),
    onClose: () => heard.push('closed'),
  });
  return {
    clock,
    heard,
    ...breaker,
    succeeded: () => breaker.observe(Promise.resolve()),
    failed: (error: string, of?: Parameters<typeof breaker.observe>[1]) =>
      expect(breaker.observe(Promise.reject(error), of)).rejects.toBe(error),
  };
}

test('it opens at so many failures in a row, tells it once, and closes with a success', async () => {
  const { failed, succeeded, isOpen, heard } = breakerWorld();
  await failed('first');
  await failed('second');
  await succeeded();
  for (const error of ['third', 'fourth', 'fifth', 'sixth']) await failed(error);
  expect(isOpen()).toBe(true);
  await succeeded();
  await succeeded();
  expect(isOpen()).toBe(false);
  expect(heard).toEqual(['fifth', 'closed']);
});

test('no trial is held up by a clock that is set back', async () => {
  const { failed, admit, clock } = breakerWorld();
  for (const error of ['first', 'second', 'third']) await failed(error);
  clock.setBack(1_000);
  expect(admit()).toBe(false);
  await clock.advance(100);
  expect(admit()).toBe(true);
});

test('the same failing again says nothing new', async () => {
  const { failed, isOpen } = breakerWorld();
  for (let time = 0; time < 9; time++) await failed('again', { id: 'one' });
  await failed('another', { id: 'two' });
  expect(isOpen()).toBe(false);
  await failed('a third', { id: 'three' });
  expect(isOpen()).toBe(true);
});

test('a refusal shows that the other side answers; what tells nothing of it, or was ended by us, counts for nothing', async () => {
  const { failed, isOpen } = breakerWorld();
  for (const error of ['first', 'second', 'a refusal', 'third', 'fourth']) await failed(error);
  await failed('a mistake of ours');
  await failed('ended', { signal: AbortSignal.abort() });
  expect(isOpen()).toBe(false);
  await failed('fifth');
  expect(isOpen()).toBe(true);
});

test('while it is open one trial is admitted after each time without a new failure', async () => {
  const { clock, failed, admit, trialInMs } = breakerWorld();
  for (const id of ['one', 'two', 'three']) await failed('down', { id });
  expect([admit(), trialInMs()]).toEqual([false, 100]);
  await clock.advance(60);
  await failed('down', { id: 'four' });
  await clock.advance(99);
  expect([admit(), trialInMs()]).toEqual([false, 1]);
  await clock.advance(1);
  expect([admit(), admit()]).toEqual([true, false]);
});
