import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { PICTURE_OPERATIONS } from '../../src/requests/offers.ts';
import { runChaos } from './chaos-run.ts';
import { drawPlan } from './plan.ts';

// `npm run test:chaos` is the long one.
test(
  'fifteen kills under load and faults lose nothing, charge nothing twice and post nothing twice',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { violations, operations } = await runChaos({ seed, kills: 15 });
    expect(violations, `run the same plan: npm run test:chaos -- --seed ${seed} --kills 15`).toEqual([]);
    expect(Object.keys(operations).sort()).toEqual(['generate', ...PICTURE_OPERATIONS].sort());
  },
  10 * WAIT_TIMEOUT_MS,
);

test('a seed always gives the same plan, and fewer kills give its beginning', () => {
  const plan = drawPlan({ seed: 5, kills: 20 });
  expect(drawPlan({ seed: 5, kills: 20 })).toEqual(plan);
  expect(drawPlan({ seed: 5, kills: 10 }).lifetimes).toEqual(plan.lifetimes.slice(0, 10));
  expect(drawPlan({ seed: 6, kills: 20 }).digest).not.toBe(plan.digest);
});

test('a rolling restart kills no process', () => {
  const { lifetimes } = drawPlan({ seed: 5, kills: 20, processes: 2, rolling: true });
  expect(new Set(lifetimes.map(({ end }) => end))).toEqual(new Set(['SIGTERM']));
  expect(lifetimes.every(({ awaited }) => awaited)).toBe(true);
});
