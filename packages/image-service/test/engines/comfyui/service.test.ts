import { join } from 'node:path';
import { createImageClient, type Submission, type TaskStatusAnswer } from '@darkroom/image-api';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_MODELS } from '../../../src/engines/comfyui/workflow-models.ts';
import type { FilePlace } from '../../../src/files/file-place.ts';
import { createFolder } from '../../../src/files/folder.ts';
import { comfyWorld, noiseGraph } from '../../support/comfy-engine.ts';
import { instantEngine } from '../../support/engines.ts';
import { createFakeComfy, FAKE_MODELS } from '../../support/fake-comfyui.ts';
import { noise, png } from '../../support/inputs.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../../support/service.ts';
import { serviceBySettings } from '../../support/service-by-settings.ts';
import { testStorage } from '../../support/storage.ts';

const isUnderWay = ({ status }: TaskStatusAnswer) => status === 'processing';

test('a submission becomes a picture that can be fetched, and is paid for', async () => {
  const { engine } = await comfyWorld();
  const world = await serviceWorld({ engine });
  const task = await world.until(await world.submitted({ prompt: 'a fox', width: 128, height: 64 }));
  if (task.status !== 'completed') throw new Error(JSON.stringify(task));
  const picture = Buffer.from(await (await fetch(task.result.image_url)).arrayBuffer());
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 128, height: 64 });
  expect(picture.includes('a fox')).toBe(false);
  expect(await world.balance()).toBe(99);
});

test('a picture that was brought, and then each result, is edited, continued, enlarged and cut out', async () => {
  const { engine } = await comfyWorld();
  const world = await serviceWorld({ engine });
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  const brought = await png(noise({ width: 90, height: 70 }));
  const { id } = await client.upload(brought, { apiKey: world.key });
  const before = await sharp(brought).raw().toBuffer();

  async function made(submission: Submission): Promise<{ image: string; picture: Buffer }> {
    const task = await world.submitted(submission);
    const { status, ...rest } = await world.until(task);
    if (!('result' in rest) || !rest.result) throw new Error(`${status}: ${JSON.stringify(rest)}`);
    const answer = await fetch(rest.result.image_url);
    return { image: `task:${task}`, picture: Buffer.from(await answer.arrayBuffer()) };
  }
  const sizeOf = async (picture: Buffer) => {
    const { width, height, hasAlpha } = await sharp(picture).metadata();
    return { width, height, hasAlpha };
  };

  const expand = { left: 20, right: 9, top: 3 };
  const wide = await made({ operation: 'expand', image: `upload:${id}`, prompt: '', expand });
  expect(await sizeOf(wide.picture)).toEqual({ width: 119, height: 73, hasAlpha: false });
  const inside = sharp(wide.picture).extract({ left: 20, top: 3, width: 90, height: 70 });
  expect((await inside.raw().toBuffer()).equals(before)).toBe(true);
  const edited = await made({ operation: 'edit', image: wide.image, prompt: 'in snow', strength: 0.5 });
  expect(await sizeOf(edited.picture)).toEqual({ width: 119, height: 73, hasAlpha: false });
  const cut = await made({ operation: 'remove_background', image: edited.image, prompt: '' });
  expect(await sizeOf(cut.picture)).toEqual({ width: 119, height: 73, hasAlpha: true });
  const large = await made({ operation: 'upscale', image: cut.image, scale: 4, prompt: '' });
  expect(await sizeOf(large.picture)).toEqual({ width: 476, height: 292, hasAlpha: true });
});

test('progress and previews are seen on the way', async () => {
  const { engine, comfy } = await comfyWorld();
  comfy.prompts.hold('KSampler');
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const task = await world.until(id, (seen) => 'preview_url' in seen && seen.preview_url !== undefined);
  expect(task).toMatchObject({ status: 'processing' });
  expect('progress' in task && task.progress).toBeGreaterThan(0);
  comfy.prompts.release();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
});

test('a service that stops in the middle and starts again fetches what it had begun', async () => {
  const storage = await testStorage();
  const comfy = await createFakeComfy();
  comfy.prompts.hold();
  const before = await createServiceWorld({
    storage,
    engine: (await comfyWorld({ fakes: [comfy] })).engine,
  });
  const id = await before.submitted({ prompt: 'a fox' });
  await comfy.running(id);
  await before.close();
  comfy.prompts.release();
  await comfy.until(() => comfy.prompts.history.has(id), 'the end of the prompt');

  const after = await serviceWorld({
    storage,
    engine: (await comfyWorld({ fakes: [comfy] })).engine,
  });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(comfy.submitted.map((prompt) => prompt.id)).toEqual([id]);
  expect(await after.balance(before.key)).toBe(99);
});

test('once a task has ended its server forgets what it was asked for', async () => {
  const { engine, comfy } = await comfyWorld();
  const world = await serviceWorld({ engine });
  const completed = await world.submitted({ prompt: 'a fox' });
  expect(await world.until(completed)).toMatchObject({ status: 'completed' });
  comfy.prompts.fail({ exception_type: 'ValueError', exception_message: 'the brush broke' });
  const failed = await world.submitted({ prompt: 'a bear' });
  expect(await world.until(failed)).toMatchObject({ status: 'failed' });
  await expect.poll(() => [...comfy.prompts.history.keys()]).toEqual([]);
});

test('a picture that was fetched and not stored when its process ended is fetched again by the next', async () => {
  const storage = await testStorage();
  const comfy = await createFakeComfy();
  let writes = 0;
  const folder = createFolder(join(storage.folder, 'pictures'));
  const place: FilePlace = {
    ...folder,
    async write(name, ...given) {
      if (!name.endsWith('.png')) return folder.write(name, ...given);
      writes += 1;
      throw new Error('away');
    },
  };
  const before = await createServiceWorld({
    storage,
    place,
    engine: (await comfyWorld({ fakes: [comfy] })).engine,
  });
  const id = await before.submitted({ prompt: 'a fox' });
  await expect.poll(() => writes).toBeGreaterThan(0);
  await before.close();
  expect(comfy.prompts.history.has(id)).toBe(true);

  const after = await serviceWorld({
    storage,
    engine: (await comfyWorld({ fakes: [comfy] })).engine,
  });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(comfy.submitted.map((prompt) => prompt.id)).toEqual([id]);
  await expect.poll(() => comfy.prompts.history.has(id)).toBe(false);
});

test('what a lost process had begun is fetched by another one once the lease is over', async () => {
  const storage = await testStorage();
  const comfy = await createFakeComfy();
  comfy.prompts.hold();
  const lost = await comfyWorld({ fakes: [comfy] });
  const before = await serviceWorld({ storage, engine: lost.engine, limits: { leaseMs: 100_000 } });
  const id = await before.submitted({ prompt: 'a fox' });
  await comfy.running(id);

  const later = { now: () => Date.now() + 200_000, sleep: before.clock.sleep };
  const next = await comfyWorld({ fakes: [comfy] });
  const after = await serviceWorld({
    storage,
    engine: next.engine,
    clock: later,
    limits: { leaseMs: 2_000 },
  });
  await comfy.until(
    () => next.lines.join('').includes('a drawing of an earlier process was found on a server'),
    'the other process',
  );
  comfy.prompts.release();
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(comfy.submitted).toHaveLength(1);
  expect(await after.balance(before.key)).toBe(99);
});

test('a server that is lost twice costs no credits, and the reason is honest', async () => {
  const { engine, comfy } = await comfyWorld();
  comfy.prompts.hold();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  for (const time of [1, 2]) {
    await comfy.until(() => comfy.submitted.length === time && comfy.prompts.running, 'an attempt');
    comfy.restart();
  }
  const task = await world.until(id);
  expect(task).toMatchObject({ status: 'failed', error_code: 'drawing_failed' });
  expect('error' in task && task.error).toContain('was lost while it was drawing');
  expect(await world.balance()).toBe(100);
});

test('a task that is cancelled is cancelled on the server too', async () => {
  const { engine, comfy } = await comfyWorld();
  comfy.prompts.hold();
  const world = await serviceWorld({ engine });
  const id = await world.submitted({ prompt: 'a fox' });
  await world.until(id, isUnderWay);
  await comfy.running(id);
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: id } });
  await comfy.until(() => comfy.prompts.history.has(id), 'the interruption');
  // What had been drawn by then is paid for.
  expect(await world.balance()).toBeCloseTo(100 - ((await world.until(id)).cost ?? 0), 6);
});

test('a complete graph is drawn; one that may not be is refused before it costs anything', async () => {
  const { engine, comfy } = await comfyWorld();
  const world = await serviceWorld({ engine });
  expect(await world.until(await world.submitted({ prompt: noiseGraph() }))).toMatchObject({
    status: 'completed',
  });
  const refused = await world.submit({
    prompt: { '1': { class_type: 'LoadImage', inputs: { image: 'a.png' } } },
  });
  expect(refused.status).toBe(400);
  expect(await problemOf(refused)).toMatchObject({
    code: 'graph_not_supported',
    message: 'LoadImage (node 1) is of a class that may not be used here.',
    details: { field: 'prompt' },
  });
  expect(comfy.submitted).toHaveLength(1);
  expect(await world.balance()).toBe(99);
});

test.each([
  ['one that no server has', undefined, ['photo.safetensors', 'v1-5.safetensors']],
  ['one that the operator does not allow', ['v1-5.safetensors'], ['v1-5.safetensors']],
])('a model is refused at once, with what there is: %s', async (_name, allowed, listed) => {
  const { engine, comfy } = await comfyWorld({
    fake: { models: { ...FAKE_MODELS, checkpoints: ['photo.safetensors', 'v1-5.safetensors'] } },
    models: { ...DEFAULT_MODELS, allowed },
  });
  const world = await serviceWorld({ engine });
  const refused = await world.submit({ prompt: 'a fox', model: 'dreams.safetensors' });
  expect(refused.status).toBe(400);
  const problem = await problemOf(refused);
  expect(problem).toMatchObject({
    code: 'invalid_request',
    details: { field: 'model', allowed: listed },
  });
  expect(problem.message).toContain('dreams.safetensors');
  expect(await world.balance()).toBe(100);
  expect(comfy.requests('/prompt')).toEqual([]);
  const task = await world.until(await world.submitted({ prompt: 'a fox', model: 'v1-5.safetensors' }));
  expect(task.status).toBe('completed');
});

test('while no server answers, its workflows are refused with when to come back, and others are drawn', async () => {
  const { engine, comfy } = await comfyWorld();
  await comfy.down();
  const world = await serviceWorld({ engine, rr3Engine: instantEngine() });
  const refused = await world.submit({ prompt: 'a fox' });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemOf(refused)).toMatchObject({
    code: 'engine_unavailable',
    message: 'No image server can be reached at the moment. Nothing was queued or charged; try again later.',
  });
  const image = `data:image/png;base64,${(await png(noise({ width: 64, height: 64 }))).toString('base64')}`;
  const cut = await world.submit({ operation: 'remove_background', prompt: '', image });
  expect(await problemOf(cut)).toMatchObject({ code: 'engine_unavailable' });
  const drawn = await world.until(await world.submitted({ prompt: 'a fox', workflow: 'rr3' }));
  expect(drawn).toMatchObject({ status: 'completed' });
  expect(await world.balance()).toBe(99);
});

test('what was accepted waits for a server until its deadline, and is paid back then', async () => {
  const { engine, comfy } = await comfyWorld();
  comfy.fault('/models', () => true, 1);
  const world = await serviceWorld({ engine, limits: { taskMs: 4_000 } });
  const id = await world.submitted({ prompt: 'a fox' });
  await comfy.down();
  expect(await world.until(id)).toMatchObject({ status: 'failed', error_code: 'timed_out' });
  expect(await world.balance()).toBe(100);
});

test('a workflow whose model no server has is refused before it costs anything', async () => {
  const { engine } = await comfyWorld({ fake: { models: { ...FAKE_MODELS, vae: [] } } });
  const world = await serviceWorld({ engine });
  const refused = await world.submit({ prompt: 'a fox', workflow: 'z-image' });
  expect(refused.status).toBe(400);
  expect(await problemOf(refused)).toMatchObject({
    code: 'unknown_workflow',
    message: 'There is no model ae.safetensors in vae; the servers have pixel_space.',
    details: { field: 'workflow' },
  });
  expect(await world.balance()).toBe(100);
});

test('a server that keeps silent about its models keeps nobody waiting for an answer', async () => {
  const hanging = await createFakeComfy();
  hanging.fault('/models', () => true);
  const { engine } = await comfyWorld({
    fakes: [await createFakeComfy(), hanging],
    timeoutMs: 10 * WAIT_TIMEOUT_MS,
  });
  const world = await serviceWorld({ engine });
  expect((await world.submit({ prompt: 'a fox', model: 'dreams.safetensors' })).status).toBe(200);
});

test('parameters that a graph has no use for come back as warnings', async () => {
  const { engine } = await comfyWorld();
  const world = await serviceWorld({ engine });
  const answer = await world.submit({
    prompt: 'a fox',
    workflow: 'z-image',
    negative_prompt: 'x',
    cfg: 5,
    model: 'm',
  });
  const { data } = JSON.parse(await answer.text());
  expect(data.warnings).toHaveLength(3);
  expect(await world.until(data.id)).toMatchObject({ status: 'completed' });
});

test('rr3 stays with an engine of its own', async () => {
  const { engine, comfy } = await comfyWorld();
  const world = await serviceWorld({ engine, rr3Engine: instantEngine() });
  const id = await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  expect(comfy.submitted).toEqual([]);
});

test('COMFYUI_URL chooses the engine', async () => {
  const comfy = await createFakeComfy();
  await serviceBySettings({ COMFYUI_URL: comfy.url });
  await comfy.until(() => comfy.submitted.length > 0, 'a prompt');
  expect(comfy.submitted[0]?.graph.positive?.inputs.text).toBe('a fox');
});

test('many tasks on several servers, one of which comes and goes, all end with a picture', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy({ version: '0.3.64' })] as const;
  const { engine } = await comfyWorld({ fakes });
  const world = await serviceWorld({ engine, limits: { slots: 4, running: 20 } });
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, seed) =>
      world.submitted({ prompt: 'a fox', width: 64, height: 64, steps: 3, seed }),
    ),
  );
  await fakes[0].until(() => fakes[0].submitted.length > 1, 'some work');
  await fakes[0].down();
  await fakes[1].until(() => fakes[1].submitted.length > 3, 'more work elsewhere');
  await fakes[0].up();
  const tasks = await Promise.all(ids.map((id) => world.until(id)));
  expect(tasks.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
  expect(await world.balance()).toBe(88);
});
