import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createImageClient } from '@darkroom/image-api';
import { type Clock, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../src/engines/engine.ts';
import { controlledEngine, endlessEngine, failingEngine } from './support/engines.ts';
import { problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

const statusPath = (id: string, wait: number | string) =>
  `/v1/index.php?endpoint=task_status&task_id=${id}&wait=${wait}`;

const dataOf = async (answer: Promise<Response>) => JSON.parse(await (await answer).text()).data;

/** As long as may be: whoever is answered was answered by an event. */
const LONG = 50;

test('a status that waits is answered when the task ends, to each who waits', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  const answers = [1, 2, 3].map(() => dataOf(world.call(statusPath(id, LONG))));
  await drawing.finish();
  for (const answer of answers) expect(await answer).toMatchObject({ id, status: 'completed' });
  expect(await dataOf(world.call(statusPath(id, LONG)))).toMatchObject({ status: 'completed' });
});

test('a submission that waits is answered with its task, and a repeated one as well', async () => {
  const world = await serviceWorld({ rr3Engine: failingEngine() });
  const submit = (json: object) =>
    dataOf(
      world.call(`/v1/index.php?endpoint=image_generation&wait=${LONG}`, {
        json,
        headers: { 'x-api-key': world.key, 'idempotency-key': JSON.stringify(json) },
      }),
    );
  const first = await submit({ prompt: 'a fox' });
  expect(first).toMatchObject({ status: 'queued', task: { id: first.id, status: 'completed' } });
  expect(await submit({ prompt: 'a fox' })).toEqual(first);
  expect(await submit({ prompt: 'a fox', workflow: 'rr3' })).toMatchObject({
    task: { status: 'failed', error: 'the brush broke' },
  });
});

test('a submission waits no longer for having taken long to be accepted', async () => {
  const sleeps: number[] = [];
  let ahead = 0;
  const clock: Clock = {
    now: () => Date.now() + ahead,
    sleep(ms, signal) {
      sleeps.push(ms);
      return systemClock.sleep(ms, signal);
    },
  };
  const engine: Engine = {
    ...endlessEngine(),
    async rejection() {
      ahead += 60_000;
      return undefined;
    },
  };
  const world = await serviceWorld({ engine, clock });
  const path = `/v1/index.php?endpoint=image_generation&wait=${LONG}`;
  const submitted = await dataOf(world.call(path, { json: { prompt: 'a fox' } }));
  expect(submitted).toMatchObject({ status: 'queued', task: { id: submitted.id } });
  expect(sleeps).not.toContain(LONG * 1_000);
});

test('a task that is cancelled ends a wait', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  const answer = dataOf(world.call(statusPath(id, LONG)));
  await world.call('/v1/index.php?endpoint=cancel_task', {
    json: { task_id: id },
    headers: { 'x-api-key': world.key },
  });
  expect(await answer).toMatchObject({ status: 'failed', error_code: 'cancelled' });
});

test('a task that another process draws ends a wait here', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const here = await serviceWorld({ storage, limits: { slots: 0 } });
  const there = await serviceWorld({ storage, engine });
  const id = await here.submitted({ prompt: 'a fox' });
  const answer = dataOf(here.call(statusPath(id, LONG)));
  await (await engine.next()).finish();
  expect(await answer).toMatchObject({ id, status: 'completed' });
  expect(there.url).not.toBe(here.url);
});

test('a wait is over when its seconds are, and the task goes on', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  for (const wait of ['0', '0.05'])
    expect(['pending', 'processing']).toContain((await dataOf(world.call(statusPath(id, wait)))).status);
});

test.each(['', '%20', '0x5', '5s', 'NaN', '51', '-1'])('%o is no number of seconds', async (wait) => {
  const world = await serviceWorld();
  const answer = await world.call(statusPath('any', wait));
  expect([answer.status, (await problemOf(answer)).details]).toMatchObject([400, { field: 'wait' }]);
});

test('a caller who goes frees its place: a hundred who went keep nobody from waiting', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  for (let gone = 0; gone < 100; gone++) await leave(world, statusPath(id, LONG));
  const drawing = await engine.next();
  const answer = dataOf(world.call(statusPath(id, LONG)));
  await drawing.finish();
  expect(await answer).toMatchObject({ status: 'completed' });
});

/** Asks, and goes once the request has been sent. */
async function leave(world: ServiceWorld, path: string): Promise<void> {
  const asked = httpRequest(`${world.url}${path}`, { headers: { 'x-api-key': world.key } });
  // That the answer is cut off is what is wanted.
  asked.on('error', () => undefined);
  const closed = new Promise((resolve) => asked.once('close', resolve));
  asked.end();
  await once(asked, 'finish');
  asked.destroy();
  await closed;
}

test('whoever waits is answered when the service closes', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  const answer = dataOf(world.call(statusPath(id, LONG)));
  await world.until(id, ({ status }) => status === 'processing');
  await Promise.all([answer, world.close()]);
  expect(['pending', 'processing']).toContain((await answer).status);
});

test.for(['51', '-1', 'soon'])('a wait of %s seconds is refused', async (wait) => {
  const world = await serviceWorld();
  const answer = await world.call(statusPath(await world.submitted({ prompt: 'a fox' }), wait));
  expect([answer.status, (await problemOf(answer)).details]).toMatchObject([400, { field: 'wait' }]);
});

test('the client waits longer than its own timeout where it asks for that', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const client = createImageClient({ baseUrl: world.url, timeoutMs: 5_000 });
  onTestFinished(() => client.close());
  const submitted = client.submit({ prompt: 'a fox' }, { apiKey: world.key, wait: LONG });
  await (await engine.next()).finish();
  const { taskId, task } = await submitted;
  expect(task).toMatchObject({ state: 'completed', id: taskId });
  expect(await client.status(taskId, { apiKey: world.key, wait: LONG })).toMatchObject({
    state: 'completed',
  });
});
