import { createImageClient } from '@darkroom/image-api';
import { expect, onTestFinished, test } from 'vitest';
import { endlessEngine } from './support/engines.ts';
import { createServiceWorld, problemOf, serviceWorld } from './support/service.ts';
import { startService } from './support/service-process.ts';
import { testStorage } from './support/storage.ts';

test('a task costs its credits when it is submitted, and they stay spent when it completes', async () => {
  const world = await serviceWorld({ credits: 5 });
  const id = await world.submitted({ prompt: 'a fox' });
  expect(await world.balance()).toBe(4);
  await world.until(id);
  expect(await world.balance()).toBe(4);
});

test('too few credits are refused before queueing, with what is required and what is there', async () => {
  const world = await serviceWorld({ credits: 1.5, price: () => 1.25, engine: endlessEngine() });
  await world.submitted({ prompt: 'a fox' });
  const answer = await world.submit({ prompt: 'another fox' });
  expect(answer.status).toBe(402);
  expect(await problemOf(answer)).toMatchObject({
    code: 'insufficient_balance',
    details: { required: 1.25, balance: 0.25 },
  });
  expect(await world.balance()).toBe(0.25);
});

test('of ten submissions at once for five credits exactly five are accepted', async () => {
  const world = await serviceWorld({ credits: 5, engine: endlessEngine() });
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.submit({ prompt: 'a fox' })));
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(5);
  expect(await world.balance()).toBe(0);
});

test('SERVICE_PRICES says what a picture costs, by workflow, size and steps', async () => {
  const storage = await testStorage();
  const setup = await createServiceWorld({ storage, credits: 100 });
  await setup.close();
  const prices = { anime: 2, 'z-image': { picture: 0.5, megapixel: 2, step: 0.125 }, rr3: { step: 0.0004 } };
  const baseUrl = await startService(storage, { SERVICE_PRICES: JSON.stringify(prices) }).url();
  const client = createImageClient({ baseUrl });
  onTestFinished(() => client.close());
  let balance = 100;
  for (const [asked, cost] of [
    [{ workflow: 'default', width: 2000, height: 1000, steps: 50 }, 1],
    [{ workflow: 'anime', width: 2000, height: 1000, steps: 50 }, 2],
    [{ workflow: 'z-image', width: 1000, height: 500, steps: 4 }, 0.5 + 2 * 0.5 + 0.125 * 4],
    [{ workflow: 'z-image', width: 2000, height: 1000, steps: 4 }, 0.5 + 2 * 2 + 0.125 * 4],
    [{ workflow: 'z-image', width: 1000, height: 500, steps: 20 }, 0.5 + 2 * 0.5 + 0.125 * 20],
    // 0.0016, in thousandths of a credit.
    [{ workflow: 'rr3', width: 2000, height: 1000, steps: 4 }, 0.002],
  ] as const) {
    expect(await client.submit({ prompt: 'a fox', ...asked }, { apiKey: setup.key })).toMatchObject({
      cost,
    });
    balance -= cost;
    expect((await client.balance({ apiKey: setup.key })).balance).toBeCloseTo(balance, 9);
  }
});

test('prices that cannot be understood end the start with what is wrong with them', async () => {
  const service = startService(await testStorage(), { SERVICE_PRICES: '{"anime":"two"}', LOG_LEVEL: 'loud' });
  expect((await service.ended).code).toBe(1);
  expect(service.output()).toMatch(
    /2 settings are wrong, so nothing was done:\n {2}SERVICE_PRICES: anime: .+\n {2}LOG_LEVEL: /,
  );
});
