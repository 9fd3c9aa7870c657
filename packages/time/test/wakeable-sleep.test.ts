import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createWakeableSleep } from '../src/wakeable-sleep.ts';

const forever = new AbortController().signal;

test('it sleeps its time', async () => {
  const clock = createFakeClock();
  let awake = false;
  void createWakeableSleep(clock)
    .sleep(1_000, forever)
    .then(() => {
      awake = true;
    });
  await clock.advance(999);
  expect(awake).toBe(false);
  await clock.advance(1);
  expect(awake).toBe(true);
});

test('it is woken early, and sleeps its whole time again afterwards', async () => {
  const clock = createFakeClock();
  const { sleep, wake } = createWakeableSleep(clock);
  const first = sleep(1_000, forever);
  wake();
  await first;
  expect(clock.now()).toBe(createFakeClock().now());
  const second = sleep(1_000, forever);
  await clock.settle();
  expect(clock.asleep).toBe(1);
  await clock.advance(1_000);
  await second;
});

test('a wake-up while nobody sleeps ends the next sleep', async () => {
  const clock = createFakeClock();
  const { sleep, wake } = createWakeableSleep(clock);
  wake();
  await sleep(1_000, forever);
  expect(clock.asleep).toBe(0);
});

test('an abort ends it with its reason', async () => {
  const clock = createFakeClock();
  const controller = new AbortController();
  const sleeping = createWakeableSleep(clock).sleep(1_000, controller.signal);
  controller.abort('closing');
  await expect(sleeping).rejects.toBe('closing');
});
