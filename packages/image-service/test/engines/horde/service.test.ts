import { silentLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../../../src/config.ts';
import { createHordeEngine } from '../../../src/engines/horde/engine.ts';
import { openService } from '../../../src/open-service.ts';
import { createFakeHorde, HORDE_KEY } from '../../support/fake-horde.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../../support/service.ts';
import { testStorage } from '../../support/storage.ts';

/** Its waits of seconds pass in tens of milliseconds. */
const engineOn = ({ url }: { url: string }) =>
  createHordeEngine({ key: HORDE_KEY, url, clock: createFastClock({ factor: 50 }), log: silentLog() });

test('a submission becomes a picture in a size that the Horde takes, and is paid for', async () => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const answer = await world.submit({ prompt: 'a fox', width: 500, height: 300 });
  const { data } = JSON.parse(await answer.text());
  expect(data.warnings).toEqual([
    'width and height are rounded to multiples of 64: this picture has 512 × 320 pixels',
  ]);
  await horde.finish(await horde.request());
  expect(await world.until(data.id)).toMatchObject({ status: 'completed' });
  expect(await world.balance()).toBe(99);
});

test('a service that stops in the middle and starts again goes on with what it had asked for', async () => {
  const horde = await createFakeHorde();
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: engineOn(horde) });
  const id = await before.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  await before.until(id, (task) => task.status === 'processing' && task.progress > 0);
  await before.close();
  await horde.finish(request);
  const after = await serviceWorld({ storage, engine: engineOn(horde) });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(horde.requests).toHaveLength(1);
  expect(request.cancelled).toBe(false);
  expect(await after.balance(before.key)).toBe(99);
});

test('a task that is cancelled is cancelled at the Horde, and one that is censored costs nothing', async () => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const cancelled = await world.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: cancelled } });
  await expect.poll(() => request.cancelled).toBe(true);
  const censored = await world.submitted({ prompt: 'a bear', seed: 7 });
  await horde.finish(await horde.request(1), { censored: true });
  const balance = await world.balance();
  expect(await world.until(censored)).toMatchObject({
    status: 'failed',
    error: 'The AI Horde censored this picture.',
  });
  expect(await world.balance()).toBeGreaterThanOrEqual(balance);
});

test('a complete graph is refused, and so is everything while the Horde does not answer', async () => {
  const horde = await createFakeHorde();
  horde.answer('GET /api/v2/status/models', { status: 503, body: '<html>' }, 100);
  const world = await serviceWorld({ engine: engineOn(horde) });
  const refused = await world.submit({ prompt: 'a fox' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await problemOf(refused)).toMatchObject({ code: 'engine_unavailable' });
  const graph = { 1: { class_type: 'KSampler', inputs: {} } };
  expect(await problemOf(await world.submit({ prompt: graph }))).toMatchObject({
    code: 'graph_not_supported',
  });
  expect(await world.balance()).toBe(100);
});

test('AI_HORDE_KEY is the one setting that it takes', async () => {
  const horde = await createFakeHorde();
  const { databaseUrl: SERVICE_DATABASE_URL } = await testStorage();
  const config = loadServiceConfig({
    AI_HORDE_KEY: '0000000000',
    AI_HORDE_URL: horde.url,
    SERVICE_DATABASE_URL,
    SERVICE_PORT: '0',
  });
  const { service, url } = await openService(config, { log: silentLog() });
  onTestFinished(service.close);
  const { id } = await service.accounts.add('ann');
  await service.ledger.grant({ accountId: id, amount: 1_000 });
  const headers = { 'x-api-key': await service.keys.generate(id), 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'a fox' });
  await fetch(`${url}/v1/index.php?endpoint=image_generation`, { method: 'POST', headers, body });
  expect((await horde.request()).body.prompt).toMatch(/^a fox ### /);
});
