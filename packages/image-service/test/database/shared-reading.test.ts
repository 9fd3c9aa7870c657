import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedReading } from '../../src/database/shared-reading.ts';

/** So small that a reading is the latest until another is asked for. */
const PART = 1e-9;

test('a reading that is asked for begins after one that is under way, once for all who ask meanwhile', async () => {
  const ends: (() => void)[] = [];
  const { latest, refresh } = createSharedReading(PART, async () => {
    const number = ends.length;
    await new Promise<void>((resolve) => ends.push(resolve));
    return number;
  });
  const first = latest();
  await expect.poll(() => ends.length).toBe(1);
  const asked = [refresh(), refresh()];
  await setImmediate();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await first).toBe(0);
  await expect.poll(() => ends.length).toBe(2);
  const later = refresh();
  ends[1]?.();
  expect(await Promise.all(asked)).toEqual([1, 1]);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  expect(await later).toBe(2);
});

test('a reading that fails keeps nobody from the next', async () => {
  let readings = 0;
  const { latest } = createSharedReading(PART, async () => {
    if (readings++ === 0) throw new Error('the database is away');
    return readings;
  });
  await expect(latest()).rejects.toThrow('the database is away');
  expect(await latest()).toBe(2);
});
