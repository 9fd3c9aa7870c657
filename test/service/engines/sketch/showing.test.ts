import { expect, it } from 'vitest';
import type { Development } from '../../../../src/service/engines/engine.ts';
import { createShowing } from '../../../../src/service/engines/sketch/showing.ts';
import { createFakeClock } from '../../../support/clock.ts';

function aShowing(paceMs: number) {
  const clock = createFakeClock();
  const control = new AbortController();
  const shown: Development[] = [];
  const showing = createShowing({
    paceMs,
    clock,
    signal: control.signal,
    show: (development) => shown.push(development),
  });
  return { clock, control, shown, showing };
}

it('shows each development at its share of the pace', async () => {
  const { clock, shown, showing } = aShowing(10_000);
  for (const percent of [10, 50, 90]) showing.add({ percent });
  await clock.advance(999);
  expect(shown).toEqual([]);
  await clock.advance(1);
  expect(shown).toEqual([{ percent: 10 }]);
  await clock.advance(4_000);
  expect(shown).toEqual([{ percent: 10 }, { percent: 50 }]);
  const finished = showing.finish();
  await clock.advance(5_000);
  await finished;
  expect(clock.sleeps).toEqual([1_000, 4_000, 4_000, 1_000]);
});

it('waits for nothing without a pace', async () => {
  const { clock, shown, showing } = aShowing(0);
  for (const percent of [10, 50, 90]) showing.add({ percent });
  await showing.finish();
  expect(shown).toHaveLength(3);
  expect(clock.sleeps).toEqual([]);
});

it('never lets the percent fall', async () => {
  const { shown, showing } = aShowing(0);
  for (const percent of [10, 40, 30, 60]) showing.add({ percent });
  await showing.finish();
  expect(shown.map(({ percent }) => percent)).toEqual([10, 40, 40, 60]);
});

it('stops waiting and shows nothing more once it is given up', async () => {
  const { clock, control, shown, showing } = aShowing(10_000);
  showing.add({ percent: 10 });
  showing.add({ percent: 90 });
  const finished = showing.finish();
  finished.catch(() => undefined);
  await clock.advance(1_000);
  control.abort();
  await expect(finished).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(shown).toEqual([{ percent: 10 }]);
  expect(clock.asleep).toBe(0);
});
