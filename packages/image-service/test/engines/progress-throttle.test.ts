import { until } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import type { Progress } from '../../src/engines/engine.ts';
import { createProgressThrottle } from '../../src/engines/progress-throttle.ts';
import { scannedJpeg } from '../support/brought-pictures.ts';
import { paint } from '../support/engines.ts';

async function throttled() {
  const clock = createFakeClock();
  const reported: Progress[] = [];
  const end = new AbortController();
  const onProgress = (progress: Progress) => reported.push(progress);
  const throttle = createProgressThrottle({ onProgress, clock, signal: end.signal });
  const frame = (await paint({ width: 32, height: 32 })).bytes;
  /** Previews are encoded in threads, so it takes real time. */
  async function waitFor(count: number): Promise<void> {
    await until(async () => {
      await clock.advance(100);
      return reported.length >= count;
    }, 'the report');
  }
  return { clock, reported, end, throttle, frame, waitFor };
}

test('what arrives together is reported together, the newest of each', async () => {
  const { clock, reported, throttle, frame, waitFor } = await throttled();
  for (const percent of [10, 20, 30]) throttle.percent(percent);
  throttle.preview(frame);
  await waitFor(1);
  expect(reported).toEqual([{ percent: 30, preview: expect.any(Uint8Array) }]);
  expect(clock.sleeps[0]).toBe(100);
});

test('a percentage never falls', async () => {
  const { reported, throttle, frame, waitFor } = await throttled();
  throttle.percent(50);
  await waitFor(1);
  throttle.percent(1);
  throttle.preview(frame);
  await waitFor(2);
  expect(reported.map(({ percent }) => percent)).toEqual([50, 50]);
});

test.each([
  ['is no picture', Uint8Array.of(1, 2, 3)],
  [
    'is drawn and holds no pixels',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
  ],
])('a preview that %s is left out', async (_, preview) => {
  const { reported, throttle, waitFor } = await throttled();
  throttle.preview(preview);
  throttle.percent(5);
  await waitFor(1);
  expect(reported).toEqual([{ percent: 5 }]);
});

test('a preview of more scans than any program writes is not decoded, and the drawing goes on', async () => {
  const { reported, throttle, frame, waitFor } = await throttled();
  throttle.preview(await scannedJpeg(1_000));
  throttle.percent(5);
  await waitFor(1);
  throttle.preview(frame);
  await waitFor(2);
  expect(reported).toEqual([{ percent: 5 }, { percent: 5, preview: expect.any(Uint8Array) }]);
});

test('after the abort nothing is reported', async () => {
  const { clock, reported, end, throttle, frame } = await throttled();
  throttle.percent(5);
  end.abort();
  throttle.preview(frame);
  await clock.advance(1_000);
  expect(reported).toEqual([]);
  expect(clock.asleep).toBe(0);
});
