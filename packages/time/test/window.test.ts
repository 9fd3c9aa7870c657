import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWindow } from '../src/index.ts';

test('whoever waits as it says has never more than there is room for in any window, and waits no longer than needed', async () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(pauses, fc.integer({ min: 1, max: 5 }), async (all, room) => {
      const clock = createFakeClock();
      const window = createWindow(100, clock);
      const moments: number[] = [];
      const inWindowBefore = (at: number) => moments.filter((moment) => moment > at - 100).length;
      for (const pause of all) {
        await clock.advance(pause);
        const waitMs = window.waitMs(room);
        if (waitMs > 0) expect(inWindowBefore(clock.now() + waitMs - 1)).toBe(room);
        await clock.advance(waitMs);
        expect(window.waitMs(room)).toBe(0);
        expect(inWindowBefore(clock.now())).toBeLessThan(room);
        window.add();
        moments.push(clock.now());
      }
    }),
    { numRuns: 20 },
  );
});

test('where there is no room at all it is looked at again after a window', () => {
  expect(createWindow(100, createFakeClock()).waitMs(0)).toBe(100);
});

test('a clock that is set back makes nobody wait for longer than a window', () => {
  let now = 3_600_000;
  const window = createWindow(100, { now: () => now });
  window.add();
  now = 0;
  expect(window.waitMs(1)).toBe(100);
  now = 100;
  expect(window.waitMs(1)).toBe(0);
});
