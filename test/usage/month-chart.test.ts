import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { createMonthChart } from '../../src/usage/month-chart.ts';

test('a month is drawn in a thread of its own, and those that are too many are refused', async () => {
  const chart = createMonthChart();
  onTestFinished(chart.close);
  const total = { pictures: 0, failed: 0, credits: 0, members: 0 };
  const usage = { month: '2026-11', total, days: [], workflows: [], members: [], parts: [], partsLeftOut: 0 };
  const drawn = await Promise.allSettled(Array.from({ length: 20 }, () => chart.draw(usage, en, { now: 0 })));
  const pictures = drawn.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(pictures).toHaveLength(8);
  expect((await sharp(pictures[0]).metadata()).format).toBe('png');
});
