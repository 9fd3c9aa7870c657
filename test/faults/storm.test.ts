import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { drawPlan } from './storm/plan.ts';
import { runStorm } from './storm/storm.ts';

// `npm run test:faults` is the long one.
test(
  'fifteen kills under load and faults lose nothing, pay nothing twice and post nothing twice',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { violations, ends } = await runStorm({ seed, kills: 15 });
    expect(violations, `its plan again: npm run test:faults -- --seed ${seed} --kills 15`).toEqual([]);
    expect(ends.delivered).toBeGreaterThan(0);
  },
  10 * PATIENCE_MS,
);

test('a seed has one plan, and with fewer kills the beginning of it', () => {
  const plan = drawPlan({ seed: 5, kills: 20 });
  expect(drawPlan({ seed: 5, kills: 20 })).toEqual(plan);
  expect(drawPlan({ seed: 5, kills: 10 }).lives).toEqual(plan.lives.slice(0, 10));
  expect(drawPlan({ seed: 6, kills: 20 }).digest).not.toBe(plan.digest);
});
