import { expect, test } from 'vitest';
import { createPresses } from '../../src/bot/presses.ts';

test('what takes longer than a moment is not done twice while it is under way', async () => {
  let now = 0;
  const presses = createPresses({ clock: { now: () => now } });
  let end = () => {};
  const work = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const first = presses.once('publish', work);
  now = 60_000;
  expect(await presses.once('publish', work)).toBe(false);
  end();
  expect(await first).toBe(true);
  expect(await presses.once('publish', async () => {})).toBe(true);
});
