import { createImageClient } from '@darkroom/image-api';
import { silentLog } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { createPrices } from '../../src/requests/prices.ts';

test('a service that tells no price is asked again an hour later, also where the clock was set back meanwhile', async () => {
  const service = await createHostileService();
  service.script('dryRun', refusal(404, 'unknown endpoint'), service.politely);
  const images = createImageClient({ baseUrl: service.baseUrl });
  onTestFinished(images.close);
  const clock = createFakeClock();
  const prices = createPrices({ images, clock, log: silentLog() });
  const price = () => prices.of({ submission: { prompt: 'a fox' } }, { apiKey: A_KEY, withinMs: 10_000 });
  expect(await price()).toBeUndefined();
  clock.setBack(2 * HOUR_MS);
  expect(await price()).toBeUndefined();
  expect(service.requests('dryRun')).toHaveLength(1);
  await clock.advance(HOUR_MS);
  expect(await price()).toEqual({ each: 1, balance: 42.5 });
});
