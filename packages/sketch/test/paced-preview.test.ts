import { createFakeClock } from '@darkroom/time/testing';
import { expect, it } from 'vitest';
import { createPacedPreview } from '../src/paced-preview.ts';
import type { SketchProgress } from '../src/sketch.ts';

function pacedPreview(paceMs: number) {
  const clock = createFakeClock();
  const control = new AbortController();
  const reported: SketchProgress[] = [];
  const preview = createPacedPreview({
    paceMs,
    clock,
    signal: control.signal,
    onProgress: (progress) => reported.push(progress),
  });
  return { clock, control, reported, preview };
}

it('reports progress at its share of the pace', async () => {
  const { clock, reported, preview } = pacedPreview(10_000);
  for (const percent of [10, 50, 90]) preview.add({ percent });
  await clock.advance(999);
  expect(reported).toEqual([]);
  await clock.advance(1);
  expect(reported).toEqual([{ percent: 10 }]);
  await clock.advance(4_000);
  expect(reported).toEqual([{ percent: 10 }, { percent: 50 }]);
  const finished = preview.finish();
  await clock.advance(5_000);
  await finished;
  expect(clock.sleeps).toEqual([1_000, 4_000, 4_000, 1_000]);
});

it('does not wait without a pace', async () => {
  const { clock, reported, preview } = pacedPreview(0);
  for (const percent of [10, 50, 90]) preview.add({ percent });
  await preview.finish();
  expect(reported).toHaveLength(3);
  expect(clock.sleeps).toEqual([]);
});

it('never lets the percent fall', async () => {
  const { reported, preview } = pacedPreview(0);
  for (const percent of [10, 40, 30, 60]) preview.add({ percent });
  await preview.finish();
  expect(reported.map(({ percent }) => percent)).toEqual([10, 40, 40, 60]);
});

it('stops waiting and reports nothing more once the signal aborts', async () => {
  const { clock, control, reported, preview } = pacedPreview(10_000);
  preview.add({ percent: 10 });
  preview.add({ percent: 90 });
  const finished = preview.finish();
  finished.catch(() => undefined);
  await clock.advance(1_000);
  control.abort();
  await expect(finished).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(reported).toEqual([{ percent: 10 }]);
  expect(clock.asleep).toBe(0);
});
