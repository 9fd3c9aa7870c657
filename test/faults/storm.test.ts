import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { runStorm } from './storm/storm.ts';

// `npm run test:faults` is the long one.
test(
  'fifteen kills under load and faults lose nothing, pay nothing twice and post nothing twice',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { violations, ends } = await runStorm({ seed, kills: 15 });
    expect(violations, `replay: npm run test:faults -- --seed ${seed} --kills 15`).toEqual([]);
    expect(ends.delivered).toBeGreaterThan(0);
  },
  10 * PATIENCE_MS,
);
