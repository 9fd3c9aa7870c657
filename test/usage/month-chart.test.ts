import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { createMonthChart } from '../../src/usage/month-chart.ts';

test('what draws could not be loaded: nothing is drawn, and closing goes on', async () => {
  const chart = createMonthChart({ load: () => Promise.reject(new Error('not there')) });
  const total = { pictures: 0, failed: 0, credits: 0, members: 0 };
  const usage = { month: '2026-11', total, days: [], workflows: [], members: [], parts: [], partsLeftOut: 0 };
  await expect(chart.draw(usage, en, { now: 0 })).rejects.toThrow('not there');
  await chart.close();
});
