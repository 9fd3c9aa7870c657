import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { acknowledge, createJobWorld, request } from '../support/job-world.ts';

const MINUTE = 60_000;

test('a picture is asked for once more after twenty minutes and then given up, however long the service asks to wait', async () => {
  let asked = 0;
  const world = await createJobWorld({
    download: () => {
      asked += 1;
      return Promise.reject(new ServiceError('busy', 'too much to do', { retryAfterMs: 24 * 60 * MINUTE }));
    },
  });
  const { tracker } = await world.startTracker();
  await tracker.begin(request(), acknowledge);
  const wait = () => world.clock.sleeps.find((ms) => ms > 10 * MINUTE) ?? 0;
  await world.pass(() => wait() > 0);
  expect(wait()).toBeLessThanOrEqual(20 * MINUTE);
  await world.clock.advance(wait() - MINUTE);
  expect(world.delivered).toEqual([]);
  await world.clock.advance(MINUTE);
  await world.pass(() => world.delivered.length === 1);
  expect(asked).toBe(2);
  expect(world.delivered[0]?.job.tasks).toMatchObject([{ failure: { kind: 'unfetched' } }]);
});
