import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createWakeableSleep, repeat } from '../src/index.ts';

test('work is done at once, and again after each rest, also after it has failed', async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  const startedAt = clock.now();
  const times: number[] = [];
  const failures: unknown[] = [];
  void repeat(
    async () => {
      times.push(clock.now() - startedAt);
      await clock.sleep(20);
      if (times.length === 2) throw new Error('the second time');
    },
    { everyMs: 100, clock, signal, onError: (error) => failures.push(error) },
  );
  await clock.advance(300);
  expect(times).toEqual([0, 120, 240]);
  expect(failures).toEqual([new Error('the second time')]);
});

test('it ends with its signal, whether it rests or works, and nobody hears of a failure then', async () => {
  const clock = createFakeClock();
  for (const endsAt of [10, 50]) {
    const ending = new AbortController();
    const failures: unknown[] = [];
    const repeating = repeat(
      async () => {
        await clock.sleep(20);
        ending.signal.throwIfAborted();
      },
      { everyMs: 1_000, clock, signal: ending.signal, onError: (error) => failures.push(error) },
    );
    await clock.advance(endsAt);
    ending.abort();
    await clock.advance(20);
    await repeating;
    expect(failures).toEqual([]);
  }
});

test('a rest can be cut short, and be of another length each time', async () => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  const pause = createWakeableSleep(clock);
  let times = 0;
  const work = async () => {
    times += 1;
  };
  void repeat(work, { everyMs: () => times * 100, clock: pause, signal });
  await clock.settle();
  expect(clock.sleeps).toEqual([100]);
  pause.wake();
  await clock.settle();
  expect(clock.sleeps).toEqual([100, 200]);
});
