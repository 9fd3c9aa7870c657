import { expect, test } from 'vitest';
import { createDevelopments } from '../../../../src/service/engines/comfyui/developments.ts';
import type { Development } from '../../../../src/service/engines/engine.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { paint } from '../../../support/engines.ts';
import { until } from '../../../support/patience.ts';

async function watched() {
  const clock = createFakeClock();
  const shown: Development[] = [];
  const end = new AbortController();
  const show = (development: Development) => shown.push(development);
  const developments = createDevelopments({ show, clock, signal: end.signal });
  const frame = (await paint({ width: 32, height: 32 })).bytes;
  /** Until what is shown has come to rest: previews are encoded in threads of their own. */
  async function pass(count: number): Promise<void> {
    await until(async () => {
      await clock.advance(100);
      return shown.length >= count;
    }, 'what is shown');
  }
  return { clock, shown, end, developments, frame, pass };
}

test('what comes together is shown together, and only the newest of it', async () => {
  const { clock, shown, developments, frame, pass } = await watched();
  for (const percent of [10, 20, 30]) developments.reach(percent);
  developments.see(frame);
  await pass(1);
  expect(shown).toEqual([{ percent: 30, preview: expect.any(Uint8Array) }]);
  expect(clock.sleeps[0]).toBe(100);
});

test('a percentage never falls', async () => {
  const { shown, developments, frame, pass } = await watched();
  developments.reach(50);
  await pass(1);
  developments.reach(1);
  developments.see(frame);
  await pass(2);
  expect(shown.map(({ percent }) => percent)).toEqual([50, 50]);
});

test('a frame that is no picture is passed over', async () => {
  const { shown, developments, pass } = await watched();
  developments.see(Uint8Array.of(1, 2, 3));
  developments.reach(5);
  await pass(1);
  expect(shown).toEqual([{ percent: 5 }]);
});

test('after the end nothing is shown', async () => {
  const { clock, shown, end, developments, frame } = await watched();
  developments.reach(5);
  end.abort();
  developments.see(frame);
  await clock.advance(1_000);
  expect(shown).toEqual([]);
  expect(clock.asleep).toBe(0);
});
