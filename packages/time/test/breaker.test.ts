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
    onOpen: (error) => heard.push(error),
    onClose: () => heard.push('closed'),
  });
  return { clock, heard, ...breaker };
}

test('it opens at so many failures in a row, tells it once, and closes with a success', () => {
  const { failed, succeeded, isOpen, heard } = breakerWorld();
  failed('first');
  failed('second');
  succeeded();
  for (const error of ['third', 'fourth', 'fifth', 'sixth']) failed(error);
  expect(isOpen()).toBe(true);
  succeeded();
  succeeded();
  expect(isOpen()).toBe(false);
  expect(heard).toEqual(['fifth', 'closed']);
});

test('the same failing again says nothing new', () => {
  const { failed, isOpen } = breakerWorld();
  for (let time = 0; time < 9; time++) failed('again', 'one');
  failed('another', 'two');
  expect(isOpen()).toBe(false);
  failed('a third', 'three');
  expect(isOpen()).toBe(true);
});

test('while it is open one trial is admitted after each time without a new failure', async () => {
  const { clock, failed, admit, trialInMs } = breakerWorld();
  for (const id of ['one', 'two', 'three']) failed('down', id);
  expect([admit(), trialInMs()]).toEqual([false, 100]);
  await clock.advance(60);
  failed('down', 'four');
  await clock.advance(99);
  expect([admit(), trialInMs()]).toEqual([false, 1]);
  await clock.advance(1);
  expect([admit(), admit()]).toEqual([true, false]);
});
