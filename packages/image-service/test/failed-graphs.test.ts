import type { Graph } from '@darkroom/image-api';
import { HOUR_MS } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { DrawingError, GraphError } from '../src/engines/engine.ts';
import { checkLedger } from '../src/ledger/ledger-check.ts';
import { comfyWorld, noiseGraph } from './support/comfy-engine.ts';
import { controlledEngine } from './support/engines.ts';
import { serviceWorld } from './support/service.ts';
import { type TestStorage, testStorage } from './support/storage.ts';

const GRAPH: Graph = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
};
const FAILED = new GraphError('LatentBlend (node 5) failed: the sizes do not match.');

async function failedWith(
  error: Error,
  { prompt = GRAPH, percent = 91 }: { prompt?: Graph | string; percent?: number },
) {
  const engine = controlledEngine();
  const storage = await testStorage();
  const world = await serviceWorld({ engine, storage, price: () => 3 });
  const id = await world.submitted({ prompt });
  const drawing = await engine.next();
  drawing.progress(percent, Buffer.from('a preview'));
  drawing.fail(error);
  return { world, storage, task: await world.until(id) };
}

test('of a graph that fails by itself, what was drawn until then is paid for, and the rest comes back', async () => {
  const { world, storage, task } = await failedWith(FAILED, {});
  expect(task).toMatchObject({
    status: 'failed',
    error_code: 'drawing_failed',
    error: FAILED.message,
    cost: 2.73,
  });
  expect(await world.balance()).toBe(97.27);
  await expectInOrder(storage);
});

test('a graph that fails before anything is drawn costs nothing', async () => {
  const { world, storage, task } = await failedWith(FAILED, { percent: 0 });
  expect(task).toMatchObject({ status: 'failed', cost: 0 });
  expect(await world.balance()).toBe(100);
  await expectInOrder(storage);
});

test.each<[string, Error, Graph | string]>([
  ['a graph that a server could not draw', new DrawingError('The image server was lost.'), GRAPH],
  ['a graph at which the engine breaks', new TypeError('undefined is not a brush'), GRAPH],
  ['words, of whose graph the caller knows nothing', FAILED, 'a fox'],
])('nothing is paid for %s', async (_what, error, prompt) => {
  const { world, task } = await failedWith(error, { prompt });
  expect(task).toMatchObject({ status: 'failed', cost: 0 });
  expect(await world.balance()).toBe(100);
});

test('of a graph that is drawn until its deadline, what was drawn is paid for', async () => {
  const engine = controlledEngine();
  const storage = await testStorage();
  const clock = createFastClock({ factor: 1 });
  const world = await serviceWorld({ engine, storage, clock });
  const id = await world.submitted({ prompt: GRAPH });
  (await engine.next()).progress(40);
  clock.advance(HOUR_MS);
  expect(await world.until(id)).toMatchObject({ error_code: 'timed_out', cost: 0.4 });
  expect(await world.balance()).toBe(99.6);
  await expectInOrder(storage);
});

/** A caller's graph whose server was lost at its last node but one, and that waits for another one. */
async function lostGraph() {
  const { engine, comfy } = await comfyWorld();
  comfy.prompts.hold('ImageAddNoise');
  const storage = await testStorage();
  const clock = createFastClock({ factor: 1 });
  const world = await serviceWorld({ engine, storage, clock });
  const id = await world.submitted({ prompt: noiseGraph() });
  const drawn = (isSo: (progress: number) => boolean) =>
    world.until(id, (task) => task.status === 'processing' && isSo(task.progress));
  await drawn((progress) => progress > 60);
  await comfy.down();
  await drawn((progress) => progress === 0);
  return { world, storage, clock, id };
}

test('of a graph whose server is lost, and that no other one draws until its deadline, nothing is paid for', async () => {
  const { world, storage, clock, id } = await lostGraph();
  clock.advance(HOUR_MS);
  expect(await world.until(id)).toMatchObject({ error_code: 'timed_out', cost: 0 });
  expect(await world.balance()).toBe(100);
  await expectInOrder(storage);
});

test('a graph that is cancelled while it waits because its server is lost costs nothing', async () => {
  const { world, storage, id } = await lostGraph();
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: id } });
  expect(await world.until(id)).toMatchObject({ error_code: 'cancelled', cost: 0 });
  expect(await world.balance()).toBe(100);
  await expectInOrder(storage);
});

async function expectInOrder({ databaseUrl }: TestStorage): Promise<void> {
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.destroy());
  expect(await checkLedger(db)).toEqual([]);
}
