import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedAt, mergeProgress, NO_PROGRESS } from '../../src/jobs/task-progress.ts';

const NOW = Date.UTC(2026, 0, 1);
const inSeconds = (seconds: number) => NOW + seconds * 1_000;

test('the first estimate is taken as it is, and none is none', () => {
  expect(expectedAt(undefined, 40, NOW)).toBe(inSeconds(40));
  expect(expectedAt(undefined, undefined, NOW)).toBeUndefined();
  expect(expectedAt(inSeconds(40), undefined, NOW)).toBeUndefined();
});

test('one that moves by five seconds, or a quarter of what is left, is the same', () => {
  expect(expectedAt(inSeconds(10), 15, NOW)).toBe(inSeconds(10));
  expect(expectedAt(inSeconds(10), 16, NOW)).toBe(inSeconds(16));
  expect(expectedAt(inSeconds(300), 380, NOW)).toBe(inSeconds(300));
  expect(expectedAt(inSeconds(300), 200, NOW)).toBe(inSeconds(200));
});

test('however a service counts down, rounded and a little late, its estimate stands still', () => {
  const jitter = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 900 }), jitter, (seconds, noise) => {
      let expected = expectedAt(undefined, seconds, NOW);
      for (const [index, late] of noise.entries()) {
        const now = inSeconds(index * 2.5);
        expected = expectedAt(expected, Math.max(1, Math.ceil(seconds - index * 2.5 + late)), now);
        if (index * 2.5 < seconds) expect(expected).toBe(inSeconds(seconds));
      }
    }),
  );
});

test('one that has passed stays so while it is a matter of seconds, and moves once it is more', () => {
  for (const now of [8, 60, 600].map(inSeconds)) {
    for (const seconds of [0, 1, 5]) expect(expectedAt(inSeconds(2), seconds, now)).toBe(inSeconds(2));
    expect(expectedAt(inSeconds(2), 30, now)).toBe(now + 30_000);
  }
});

test('what is no news leaves the progress of a task the object that it was, and a percentage is whole', () => {
  const seen = mergeProgress(NO_PROGRESS, { begun: true, percent: 45.4 });
  expect(seen).toMatchObject({ begun: true, percent: 45 });
  for (const percent of [45, 45.9, undefined])
    expect(mergeProgress(seen, { begun: true, percent })).toBe(seen);
  expect(mergeProgress(seen, { percent: 46 })).not.toBe(seen);
});
