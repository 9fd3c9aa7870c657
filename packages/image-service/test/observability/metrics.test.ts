import { expectNoSecrets } from '@darkroom/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/database.ts';
import { DrawingError, GraphError, WithheldError } from '../../src/engines/engine.ts';
import { createPrometheus } from '../../src/observability/prometheus.ts';
import { noiseGraph } from '../support/comfy-engine.ts';
import { controlledEngine, endlessEngine, failingEngine } from '../support/engines.ts';
import { type ServiceWorld, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

/** The values of `/metrics` by name and labels. */
async function metricsOf(world: ServiceWorld): Promise<{ text: string; value(line: string): number }> {
  const answer = await world.call('/metrics', { headers: {} });
  expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/plain']);
  const text = await answer.text();
  const values = new Map(
    text.split('\n').map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
  return { text, value: (line) => values.get(line) ?? 0 };
}

const spentIn = async (world: ServiceWorld): Promise<number> =>
  (await metricsOf(world)).value('image_service_captured_credits_total');

test('what is submitted, drawn, spent and stored is counted', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({
    engine,
    prometheus: createPrometheus(),
    limits: { slots: 1 },
    price: () => 1.5,
  });
  const id = await world.submitted({ prompt: 'a secret fox' });
  await world.submitted({ prompt: 'a bear', workflow: 'anime' });
  expect((await world.submit({ prompt: 'a fox', width: 9_999 })).status).toBe(400);
  const drawing = await engine.next();
  const before = await metricsOf(world);
  expect(before.value('image_service_waiting_tasks{workflow="anime"}')).toBe(1);
  expect(before.value('image_service_running_tasks{workflow="default"}')).toBe(1);
  expect(before.value('image_service_waiting_tasks{workflow="default"}')).toBe(0);
  const oldest = async (workflow: string) =>
    (await metricsOf(world)).value(`image_service_oldest_task_seconds{workflow="${workflow}"}`);
  await expect.poll(() => oldest('anime')).toBeGreaterThan(0);
  expect(await oldest('default')).toBe(0);
  expect(before.value('image_service_check_ok{check="database"}')).toBe(1);

  await drawing.finish();
  await world.until(id);
  await expect.poll(() => spentIn(world)).toBe(1.5);
  const { value, text } = await metricsOf(world);
  expect(value('image_service_submissions_total{outcome="accepted"}')).toBe(2);
  expect(value('image_service_submissions_total{outcome="parameter_out_of_range"}')).toBe(1);
  expect(value('image_service_stored_bytes_total')).toBeGreaterThan(100);
  expect(value('image_service_claim_seconds_count{result="task"}')).toBeGreaterThanOrEqual(1);
  expect(value('image_service_request_seconds_count{operation="image_generation",status="200"}')).toBe(2);
  expect(value('image_service_statement_seconds_count{kind="insert",result="ok"}')).toBeGreaterThan(0);
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expectNoSecrets([world.key, world.loginToken, world.username, id, 'secret fox'], { metrics: text });
});

test('the time for which a caller asked to wait is not counted as time that the service takes', async () => {
  const world = await serviceWorld({ prometheus: createPrometheus(), engine: endlessEngine() });
  /** Expects that of its time at least two seconds are not counted; resolves with its data. */
  async function waited(operation: string, query: string, init?: Parameters<typeof world.call>[1]) {
    const since = performance.now();
    const answer = await world.call(`/v1/index.php?endpoint=${operation}&wait=2${query}`, init);
    const { data } = JSON.parse(await answer.text());
    // A timer may be a little early.
    const most = (performance.now() - since) / 1_000 - 1.9;
    const counted = async (what: string) =>
      (await metricsOf(world)).value(
        `image_service_request_seconds_${what}{operation="${operation}",status="200"}`,
      );
    await expect.poll(() => counted('count')).toBe(1);
    expect(await counted('sum')).toBeLessThan(most);
    return data;
  }
  const { id } = await waited('image_generation', '', { json: { prompt: 'a fox' } });
  await waited('task_status', `&task_id=${id}`);
});

test('what is spent is counted once its transaction is committed, and of a cancelled task what was drawn', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine, prometheus: createPrometheus() });
  const spent = () => spentIn(world);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const id = await world.submitted({ prompt: 'a fox' });
  await sql`create trigger "brokenUsage" before insert on "usage" begin select raise(abort, 'broken'); end`.execute(
    db,
  );
  await (await engine.next()).finish();
  await expect.poll(() => world.lines.join('')).toContain('the end of a task cannot be written down');
  expect(await spent()).toBe(0);
  await sql`drop trigger "brokenUsage"`.execute(db);
  await world.until(id);
  await expect.poll(spent).toBe(1);

  const cancelled = await world.submitted({ prompt: 'a bear' });
  await (await engine.next()).progress(50);
  await world.until(cancelled, (task) => task.status === 'processing' && task.progress === 50);
  await world.call(`/v1/index.php?endpoint=cancel_task&task_id=${cancelled}`, { method: 'POST' });
  expect(await spent()).toBe(1.5);
});

test('how tasks end is counted, apart where it is their caller’s doing, and what never ended so stands at 0 from the start', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, prometheus: createPrometheus() });
  const ended = async () => {
    const { value, text } = await metricsOf(world);
    expect(text).toContain('image_service_tasks_ended_total{outcome="drawing_failed"}');
    return ['completed', 'drawing_failed', 'refused', 'timed_out', 'cancelled'].map((outcome) =>
      value(`image_service_tasks_ended_total{outcome="${outcome}"}`),
    );
  };
  expect(await ended()).toEqual([0, 0, 0, 0, 0]);
  await world.submitted({ prompt: 'a fox' });
  await (await engine.next()).finish();
  await world.submitted({ prompt: 'a bear' });
  await (await engine.next()).fail(new DrawingError('The disk is full.'));
  const mistake = new GraphError('LatentBlend (node 5) failed: the sizes do not match.');
  await world.submitted({ prompt: noiseGraph() });
  await (await engine.next()).fail(mistake);
  await world.submitted({ prompt: 'an owl' });
  await (await engine.next()).fail(mistake);
  await world.submitted({ prompt: 'a war' });
  await (await engine.next()).fail(new WithheldError('OpenAI withheld this picture.'));
  const cancelled = await world.submitted({ prompt: 'a wolf' });
  await engine.next();
  await world.call(`/v1/index.php?endpoint=cancel_task&task_id=${cancelled}`, { method: 'POST' });
  await expect.poll(ended).toEqual([1, 2, 2, 0, 1]);
});

test('an address that nothing is behind makes no metric of its own', async () => {
  const world = await serviceWorld({ prometheus: createPrometheus(), engine: failingEngine() });
  for (const path of ['/one', '/two', '/v1/three', '/files/four']) await world.call(path);
  const { text, value } = await metricsOf(world);
  expect(text).not.toMatch(/three|four/);
  expect(value('image_service_request_seconds_count{operation="unknown",status="404"}')).toBe(3);
});

test('nobody counts where that is off, and then there is no page of metrics', async () => {
  const world = await serviceWorld();
  expect((await world.call('/metrics')).status).toBe(404);
  expect(loadServiceConfig({}).SERVICE_METRICS).toBe('on');
  expect(() => loadServiceConfig({ SERVICE_METRICS: 'maybe' })).toThrow(
    'SERVICE_METRICS: expected on or off',
  );
});
