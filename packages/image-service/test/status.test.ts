import { rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { envelope, OPERATIONS } from '@darkroom/image-api';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DrawingError } from '../src/engines/engine.ts';
import { createSketchEngine } from '../src/engines/sketch.ts';
import { controlledEngine, endlessEngine, failingEngine } from './support/engines.ts';
import { body, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';

const now = async (world: ServiceWorld, id: string) =>
  (await body(await world.status(id), envelope(OPERATIONS.status.answer.sent))).data;

test('a task goes from pending over processing to completed', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 1 } });
  await world.submitted({ prompt: 'first' });
  const before = Date.now();
  const id = await world.submitted({ prompt: 'second', seed: 7 });
  const after = Date.now();
  const first = await engine.next();
  expect(await now(world, id)).toMatchObject({
    id,
    status: 'pending',
    result: null,
    progress: 0,
    queue_position: 1,
    seed: 7,
    cost: 1,
  });

  await first.finish();
  const second = await engine.next();
  expect(await now(world, id)).toMatchObject({ status: 'processing', result: null, progress: 0 });
  second.progress(40.7);
  await world.until(id, (task) => 'progress' in task && task.progress === 40);

  await second.finish();
  const done = await world.until(id);
  expect(done).toMatchObject({ id, status: 'completed', seed: 7, cost: 1 });
  const created = Date.parse(done.created_at ?? '');
  expect(created >= before && created <= after).toBe(true);
});

test('a finished picture is a PNG of the size that was asked for, at an address of the listener', async () => {
  const world = await serviceWorld();
  const id = await world.submitted({ prompt: 'a fox', width: 333, height: 100 });
  const task = await world.until(id);
  const url = task.status === 'completed' ? task.result.image_url : '';
  expect(url.startsWith(`${world.url}/files/`)).toBe(true);
  const answer = await fetch(url);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('cache-control')).toMatch(/immutable/);
  const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata();
  expect([format, width, height]).toEqual(['png', 333, 100]);
});

test('a sketch says what of the prompt it does not show, and nothing where nothing is missing', async () => {
  const world = await serviceWorld({ engine: createSketchEngine() });
  const notDrawn = async (prompt: string) => {
    const task = await world.until(await world.submitted({ prompt, width: 64, height: 64, steps: 1 }));
    return task.status === 'completed' ? task.not_drawn : task.status;
  };
  expect(await notDrawn('a fox and a yeti in Hamburg')).toEqual(['yeti', 'Hamburg']);
  expect(await notDrawn('a fox')).toBeUndefined();
});

test('the Host header has no say in where a picture is', async () => {
  const world = await serviceWorld();
  const id = await world.submitted({ prompt: 'a fox' });
  await world.until(id);
  const { payload } = await world.service.app.inject({
    url: `/v1/index.php?endpoint=task_status&task_id=${id}`,
    headers: { 'x-api-key': world.key, host: 'evil.example' },
  });
  expect(payload).toContain(`${world.url}/files/`);
});

test('a drawing that fails says why, and its credits come back', async () => {
  const world = await serviceWorld({ engine: failingEngine() });
  const id = await world.submitted({ prompt: 'a fox' });
  expect(await world.until(id)).toMatchObject({
    id,
    status: 'failed',
    error: 'the brush broke',
    error_code: 'drawing_failed',
    result: null,
  });
  expect(await world.balance()).toBe(100);
});

test('what an engine says of a failure is kept whatever characters are in it, and at a length for a person', async () => {
  const words = `the brush\u0000 broke\u001b[31m\n${'!'.repeat(100_000)}`;
  const world = await serviceWorld({ engine: failingEngine(new DrawingError(words)) });
  const task = await world.until(await world.submitted({ prompt: 'a fox' }));
  expect(task).toMatchObject({ status: 'failed', error_code: 'drawing_failed' });
  expect('error' in task && task.error).toMatch(/^the brush broke \[31m !{1900,2000}$/);
  expect(await world.balance()).toBe(100);
});

test('an engine that breaks shows none of its insides', async () => {
  const world = await serviceWorld({ engine: failingEngine(new TypeError('undefined is not a brush')) });
  const id = await world.submitted({ prompt: 'a fox' });
  expect(await world.until(id)).toMatchObject({ error: 'Task processing failed or timed out' });
  expect(world.lines.join('')).toContain('undefined is not a brush');
});

test('a task that is not finished by its deadline fails, and its credits come back', async () => {
  const world = await serviceWorld({ engine: endlessEngine(), limits: { taskMs: 300, slots: 1 } });
  const running = await world.submitted({ prompt: 'drawn for ever' });
  const waiting = await world.submitted({ prompt: 'never begun', workflow: 'rr3' });
  const failed = { status: 'failed', error: 'Task processing failed or timed out', error_code: 'timed_out' };
  expect(await world.until(running)).toMatchObject(failed);
  expect(await world.until(waiting)).toMatchObject(failed);
  expect(await world.balance()).toBe(100);
});

test('the id of a task may be written in capitals, with spaces around it', async () => {
  const world = await serviceWorld();
  const id = await world.submitted({ prompt: 'a fox' });
  expect(await now(world, `%20${id.toUpperCase()}%20`)).toMatchObject({ id });
});

test("another account's task is not there", async () => {
  const world = await serviceWorld();
  const other = await world.addAccount();
  for (const workflow of ['default', 'rr3']) {
    const id = await world.submitted({ prompt: 'a fox', workflow });
    const answer = await world.status(id, other.key);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([404, 'task_not_found']);
  }
});

test('a file name that is not one of ours leads nowhere', async () => {
  const world = await serviceWorld();
  await world.until(await world.submitted({ prompt: 'a fox' }));
  for (const name of [
    'nothing.png',
    '..%2fservice.sqlite',
    `${'0'.repeat(32)}.png`,
    '%2e%2e%2fservice.sqlite',
  ]) {
    const answer = await world.call(`/files/${name}`);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([404, 'file_not_found']);
  }
});

test('a picture that cannot be opened just now is not said to be gone', async () => {
  const world = await serviceWorld();
  const task = await world.until(await world.submitted({ prompt: 'a fox' }));
  const url = task.status === 'completed' ? task.result.image_url : '';
  const path = join(world.folder, 'pictures', basename(url));
  await rm(path);
  const gone = await fetch(url);
  expect([gone.status, (await problemOf(gone)).code]).toEqual([503, 'file_unavailable']);
  await symlink(path, path);
  const unreadable = await fetch(url);
  expect([unreadable.status, (await problemOf(unreadable)).code]).toEqual([503, 'file_unavailable']);
});
