import { envelope, OPERATIONS } from '@darkroom/image-api';
import { HOUR_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { controlledEngine } from './support/engines.ts';
import { createFakeOpenai, OPENAI_KEY, openaiRefusal } from './support/fake-openai.ts';
import { hostedEngine } from './support/hosted-engine.ts';
import { body, createServiceWorld, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

const cancel = (world: ServiceWorld, json: unknown, key = world.key) =>
  world.call('/v1/index.php?endpoint=cancel_task', { json, headers: { 'x-api-key': key } });
const CANCELLED = { status: 'failed', error: 'Task was cancelled', error_code: 'cancelled' };

test('a task that waits is cancelled, is never drawn, and costs nothing', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 1 } });
  await world.submitted({ prompt: 'first' });
  const id = await world.submitted({ prompt: 'second' });
  const first = await engine.next();
  const { data } = await body(await cancel(world, { task_id: id }), envelope(OPERATIONS.cancel.answer.sent));
  expect(data).toMatchObject({ id, cost: 0, ...CANCELLED });
  expect(await world.balance()).toBe(99);
  await first.finish();
  await world.submitted({ prompt: 'third' });
  expect((await engine.next()).requested.prompt).toBe('third');
});

test('a task that is being drawn is stopped', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const { signal } = await engine.next();
  expect((await cancel(world, { task_id: id })).status).toBe(200);
  expect(signal.aborted).toBe(true);
  expect(await world.until(id)).toMatchObject(CANCELLED);
  expect(await world.balance()).toBe(100);
});

test('of a task that is being drawn, what has been drawn is paid for, and the rest comes back', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, price: () => 3, credits: 2.5 });
  const soon = Date.now() + HOUR_MS;
  await world.service.ledger.grant({ accountId: world.id, amount: 1_000, expiresAt: soon });
  const id = await world.submitted({ prompt: 'a fox' });
  (await engine.next()).progress(91, Buffer.from('a preview'));
  await world.until(id, (task) => task.status === 'processing' && task.progress === 91);
  const { data } = await body(await cancel(world, { task_id: id }), envelope(OPERATIONS.cancel.answer.sent));
  expect(data).toMatchObject({ ...CANCELLED, cost: 2.73 });
  expect(await world.balance()).toBe(0.77);
  expect((await world.service.ledger.grants(world.id)).map(({ remaining }) => remaining)).toEqual([770, 0]);
});

test('what a provider draws to its end and is paid for costs its whole price, as soon as it is asked', async () => {
  const openai = await createFakeOpenai();
  const release = openai.hold();
  onTestFinished(release);
  const { engine } = await hostedEngine({
    provider: 'openai',
    model: 'gpt-image-2.6-flare',
    key: OPENAI_KEY,
    baseUrl: openai.baseUrl,
  });
  const world = await serviceWorld({ engine, price: () => 3 });
  const id = await world.submitted({ prompt: 'a fox' });
  await openai.request();
  const { data } = await body(await cancel(world, { task_id: id }), envelope(OPERATIONS.cancel.answer.sent));
  expect(data).toMatchObject({ ...CANCELLED, cost: 3 });
  expect(await world.balance()).toBe(97);
});

test('while a provider refuses, nothing is drawn, and who cancels pays nothing however long it has been waited for', async () => {
  const openai = await createFakeOpenai();
  const clock = createFastClock({ factor: 1 });
  const { engine } = await hostedEngine({
    provider: 'openai',
    model: 'gpt-image-2.6-flare',
    key: OPENAI_KEY,
    baseUrl: openai.baseUrl,
    clock,
  });
  const refusal = openaiRefusal(429, 'rate_limit_exceeded', 'Slow', { 'retry-after': '60' });
  openai.answer(refusal, refusal);
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const refused = () => expect.poll(() => Math.max(...clock.sleeps())).toBeGreaterThanOrEqual(60_000);
  await refused();
  clock.advance(90_000);
  await openai.request(1);
  await refused();
  await world.until(id, (task) => task.status === 'processing' && task.progress === 0);
  const { data } = await body(await cancel(world, { task_id: id }), envelope(OPERATIONS.cancel.answer.sent));
  expect(data).toMatchObject({ ...CANCELLED, cost: 0 });
  expect(await world.balance()).toBe(100);
});

test('a task that is drawn anew because its process was lost costs nothing until something is drawn', async () => {
  const storage = await testStorage();
  const [first, second] = [controlledEngine(), controlledEngine()];
  const world = await createServiceWorld({ engine: first, storage });
  const id = await world.submitted({ prompt: 'a fox' });
  (await first.next()).progress(50);
  await world.until(id, (task) => task.status === 'processing' && task.progress === 50);
  await world.close();
  const later = await serviceWorld({ engine: second, storage });
  await second.next();
  await cancel(later, { task_id: id }, world.key);
  expect(await later.balance(world.key)).toBe(100);
});

test('a task that is finished stays as it is', async () => {
  const world = await serviceWorld();
  const id = await world.submitted({ prompt: 'a fox' });
  await world.until(id);
  const { data } = await body(await cancel(world, { task_id: id }), envelope(OPERATIONS.cancel.answer.sent));
  expect(data.status).toBe('completed');
  expect(await world.balance()).toBe(99);
});

test('a task is cancelled once, however often it is asked for', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  await Promise.all([1, 2, 3].map(() => cancel(world, { task_id: id })));
  expect(await world.balance()).toBe(100);
});

test('the task to cancel may stand in the query, and must stand somewhere', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  const answer = await world.call(`/v1/index.php?endpoint=cancel_task&task_id=${id}`, { method: 'POST' });
  expect((await body(answer, envelope(OPERATIONS.cancel.answer.sent))).data.status).toBe('failed');
  expect((await problemOf(await cancel(world, {}))).details).toEqual({ field: 'task_id' });
});

test('the id of a task is understood as a number, too', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  const answer = await cancel(world, { task_id: Number(id) });
  expect((await body(answer, envelope(OPERATIONS.cancel.answer.sent))).data).toMatchObject({
    id,
    ...CANCELLED,
  });
});

test('an empty body is none, though it is called JSON', async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  const headers = { 'x-api-key': world.key, 'content-type': 'application/json' };
  const post = (query: string) => world.call(`/v1/index.php?${query}`, { method: 'POST', body: '', headers });
  const answer = await post(`endpoint=cancel_task&task_id=${id}`);
  expect((await body(answer, envelope(OPERATIONS.cancel.answer.sent))).data).toMatchObject(CANCELLED);
  const submission = await post('endpoint=image_generation');
  expect([submission.status, (await problemOf(submission)).code]).toEqual([400, 'invalid_request']);
});

test("nobody cancels another account's task", async () => {
  const world = await serviceWorld({ engine: controlledEngine() });
  const other = await world.addAccount();
  const id = await world.submitted({ prompt: 'a fox' });
  expect((await problemOf(await cancel(world, { task_id: id }, other.key))).code).toBe('task_not_found');
  expect((await body(await world.status(id), envelope(OPERATIONS.cancel.answer.sent))).data.status).not.toBe(
    'failed',
  );
});

test('a number that no task has is an unknown task, however large', async () => {
  const world = await serviceWorld();
  for (const task_id of [2 ** 53, 1.5, -1, 1e300]) {
    expect(await problemOf(await cancel(world, { task_id }))).toMatchObject({ code: 'task_not_found' });
  }
});
