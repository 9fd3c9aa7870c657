import { silentLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createHordeEngine } from '../../../src/engines/horde/engine.ts';
import { endlessEngine } from '../../support/engines.ts';
import { createFakeHorde, type FakeHorde, HORDE_KEY, type HordeRequest } from '../../support/fake-horde.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../../support/service.ts';
import { serviceBySettings } from '../../support/service-by-settings.ts';
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

test('the place in the queue of the Horde is told, and its own estimate, until somebody draws it', async () => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const id = await world.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  Object.assign(request.check, { queue_position: 12, wait_time: 200 });
  const waiting = await world.until(
    id,
    (task) => task.status === 'processing' && task.queue_position === 12 && task.eta_seconds !== undefined,
  );
  expect(waiting.eta_seconds).toBeGreaterThan(190);
  expect(waiting.eta_seconds).toBeLessThanOrEqual(200);
  horde.take(request);
  const drawn = await world.until(
    id,
    (task) => task.status === 'processing' && task.queue_position === undefined,
  );
  expect(drawn.eta_seconds).toBeLessThanOrEqual(30);
  await horde.finish(request);
  expect(await world.until(id)).not.toHaveProperty('queue_position');
});

test('a service that stops in the middle and starts again goes on with what it had asked for', async () => {
  const horde = await createFakeHorde();
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: engineOn(horde) });
  const id = await before.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  horde.take(request);
  await before.until(id, (task) => task.status === 'processing' && task.progress > 0);
  await before.close();
  await horde.finish(request);
  const after = await serviceWorld({ storage, engine: engineOn(horde) });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(horde.requests).toHaveLength(1);
  expect(request.cancelled).toBe(false);
  expect(await after.balance(before.key)).toBe(99);
});

test('a task that is cancelled before a machine took it costs nothing, after that what was drawn, and is cancelled at the Horde', async () => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const cancel = (task_id: string) => world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id } });
  const waiting = await world.submitted({ prompt: 'a fox' });
  const first = await horde.request();
  const checks = () => horde.asked.filter(({ path }) => path.endsWith(`/check/${first.id}`)).length;
  await expect.poll(checks).toBeGreaterThan(10);
  await cancel(waiting);
  await expect.poll(() => first.cancelled).toBe(true);
  expect(await world.balance()).toBe(100);
  const drawn = await world.submitted({ prompt: 'a hare' });
  const second = await horde.request(1);
  horde.take(second);
  await world.until(drawn, (task) => task.status === 'processing' && task.progress > 0);
  await cancel(drawn);
  await expect.poll(() => second.cancelled).toBe(true);
  expect(await world.balance()).toBeLessThan(100);
});

test.each<[string, (horde: FakeHorde, request: HordeRequest) => void]>([
  ['whose machine lets it go', (_, { check }) => Object.assign(check, { processing: 0, queue_position: 3 })],
  ['that is gone', ({ requests }, request) => requests.splice(requests.indexOf(request), 1)],
])('a task %s begins anew, and costs nothing until another machine has taken it', async (_, lose) => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const id = await world.submitted({ prompt: 'a fox' });
  const request = await horde.request();
  horde.take(request);
  await world.until(id, (task) => task.status === 'processing' && task.progress > 0);
  lose(horde, request);
  await world.until(id, (task) => task.status === 'processing' && task.progress === 0);
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: id } });
  expect(await world.until(id)).toMatchObject({ error_code: 'cancelled', cost: 0 });
  expect(await world.balance()).toBe(100);
});

test('a picture that is censored costs nothing', async () => {
  const horde = await createFakeHorde();
  const world = await serviceWorld({ engine: engineOn(horde) });
  const censored = await world.submitted({ prompt: 'a bear' });
  await horde.finish(await horde.request(), { censored: true });
  expect(await world.until(censored)).toMatchObject({
    status: 'failed',
    error: 'The AI Horde censored this picture.',
  });
  expect(await world.balance()).toBe(100);
});

test('what is indecent is asked for where operator and caller both say so, and never shown where it was censored', async () => {
  const horde = await createFakeHorde();
  const engineWith = (nsfw: boolean) =>
    createHordeEngine({
      key: HORDE_KEY,
      url: horde.url,
      nsfw,
      clock: createFastClock({ factor: 50 }),
      log: silentLog(),
    });
  const forbids = await serviceWorld({ engine: engineWith(false) });
  const refused = await forbids.submit({ prompt: 'a fox', nsfw: true });
  expect(JSON.parse(await refused.text()).data.warnings).toEqual([
    'nsfw has no effect in the workflow default',
  ]);
  expect((await horde.request()).body).toMatchObject({ nsfw: false, censor_nsfw: true });
  const allows = await serviceWorld({ engine: engineWith(true) });
  await allows.submitted({ prompt: 'a fox' });
  expect((await horde.request(1)).body).toMatchObject({ nsfw: false, censor_nsfw: true });
  const id = await allows.submitted({ prompt: 'a fox', nsfw: true });
  const request = await horde.request(2);
  expect(request.body).toMatchObject({ nsfw: true, censor_nsfw: false });
  await horde.finish(request, { censored: true });
  expect(await allows.until(id)).toMatchObject({
    status: 'failed',
    error: 'The AI Horde censored this picture.',
  });
});

test('what was queued as indecent is drawn no more so once the operator forbids it', async () => {
  const horde = await createFakeHorde();
  const storage = await testStorage();
  const options = {
    key: HORDE_KEY,
    url: horde.url,
    clock: createFastClock({ factor: 50 }),
    log: silentLog(),
  };
  const allows = createHordeEngine({ ...options, nsfw: true });
  const before = await createServiceWorld({ storage, engine: { ...allows, draw: endlessEngine().draw } });
  await before.submitted({ prompt: 'a fox', nsfw: true });
  await before.close();
  await serviceWorld({ storage, engine: createHordeEngine({ ...options, nsfw: false }) });
  expect((await horde.request()).body).toMatchObject({ nsfw: false, censor_nsfw: true });
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
  await serviceBySettings({ AI_HORDE_KEY: '0000000000', AI_HORDE_URL: horde.url });
  expect((await horde.request()).body.prompt).toMatch(/^a fox ### /);
});
