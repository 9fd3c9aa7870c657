import { setTimeout as delay } from 'node:timers/promises';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { systemClock } from '../src/clock.ts';

test.each([
  ['the system’s clock', () => systemClock],
  ['the fake clock', () => createFakeClock()],
])(
  '%s ends a sleep with an AbortError when its signal aborts, also when it has already',
  async (_name, create) => {
    const clock = create();
    const stop = new AbortController();
    const sleeping = clock.sleep(60_000, stop.signal);
    stop.abort();
    await expect(sleeping).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' });
    await expect(clock.sleep(60_000, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  },
);

test('the system’s clock sleeps until time has passed', async () => {
  const before = systemClock.now();
  await systemClock.sleep(5);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before + 4);
});

test('the system’s clock sleeps on where a wait is longer than a timer can hold', async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(30 * 24 * 3_600_000, stop.signal).then(() => 'awake');
  expect(await Promise.race([sleeping, delay(50, 'asleep')])).toBe('asleep');
  stop.abort();
  await expect(sleeping).rejects.toMatchObject({ name: 'AbortError' });
});

test('the fake clock wakes sleepers in the order of their ends, each at its own moment', async () => {
  const clock = createFakeClock({ startAt: 1_000 });
  const woken: [string, number][] = [];
  const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push([name, clock.now()]));
  void sleep('late', 300);
  void sleep('early', 100);
  void sleep('as early, but second', 100);
  expect(clock.asleep).toBe(3);
  await clock.advance(99);
  expect(woken).toEqual([]);
  await clock.advance(201);
  expect(woken).toEqual([
    ['early', 1_100],
    ['as early, but second', 1_100],
    ['late', 1_300],
  ]);
  expect(clock.now()).toBe(1_300);
  expect(clock.sleeps).toEqual([300, 100, 100]);
});

test('a loop that sleeps again is woken again within one advance', async () => {
  const clock = createFakeClock({ startAt: 0 });
  const turns: number[] = [];
  void (async () => {
    while (turns.length < 10) {
      await clock.sleep(1_000);
      turns.push(clock.now());
    }
  })();
  await clock.advance(3_500);
  expect(turns).toEqual([1_000, 2_000, 3_000]);
  expect(clock.asleep).toBe(1);
});

test('a clock that jumps takes each sleeper to its end at once', async () => {
  const clock = createFakeClock({ startAt: 0, jumps: true });
  await clock.sleep(500);
  await clock.sleep(250);
  expect([clock.now(), clock.asleep]).toEqual([750, 0]);
});
