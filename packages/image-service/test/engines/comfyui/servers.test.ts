import { randomUUID } from 'node:crypto';
import type { Graph } from '@darkroom/image-api';
import { failureOf, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { NODE_CLASSES } from '../../../src/engines/comfyui/node-classes.ts';
import { modelList } from '../../../src/engines/comfyui/workflow-models.ts';
import { comfyWorld, noiseGraph } from '../../support/comfy-engine.ts';
import { GPU_LOST } from '../../support/fake-comfyui/prompts.ts';
import { createFakeComfy, FAKE_MODELS } from '../../support/fake-comfyui.ts';

test('prompts go to the server with the shorter queue, whoever fills it', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  for (const { prompts } of fakes) prompts.hold();
  const others = { graph: noiseGraph(), extraData: {}, outputs: ['3'] };
  for (const number of [1, 2]) fakes[0].prompts.add({ ...others, number, id: `foreign-${number}` });
  const { begin } = await comfyWorld({ fakes });
  begin();
  await fakes[1].until(() => fakes[1].submitted.length === 1, 'the first prompt');
  begin();
  await fakes[1].until(() => fakes[1].submitted.length === 2, 'the second prompt');
  expect(fakes[0].submitted).toEqual([]);
});

test('prompts that come at the same moment go to a server each', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  for (const { prompts } of fakes) prompts.hold();
  const { begin } = await comfyWorld({ fakes });
  begin();
  begin();
  await fakes[0].until(() => fakes.flatMap(({ submitted }) => submitted).length === 2, 'both prompts');
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([1, 1]);
});

test('a server has one prompt of ours to draw, one to draw next, and no more', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()];
  for (const { prompts } of fakes) prompts.hold();
  const { begin } = await comfyWorld({ fakes });
  const most = fakes.map(() => 0);
  const watch = setInterval(() => {
    for (const [index, { prompts }] of fakes.entries())
      most[index] = Math.max(most[index] ?? 0, prompts.pending.length + (prompts.running ? 1 : 0));
  }, 1);
  const pictures = Array.from({ length: 6 }, (_, seed) => begin({ seed }).picture);
  await until(() => most.every((count) => count === 2), 'two prompts on each server');
  for (const { prompts } of fakes) prompts.release();
  await Promise.all(pictures);
  clearInterval(watch);
  expect(most).toEqual([2, 2]);
  expect(fakes.flatMap(({ submitted }) => submitted)).toHaveLength(6);
});

test('a server that is away gets no prompts', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  await fakes[0].down();
  const { draw } = await comfyWorld({ fakes });
  for (const seed of [1, 2, 3]) expect(await draw({ seed })).toMatchObject({ width: 128 });
  expect(fakes[1].submitted).toHaveLength(3);
});

test('a server that dies on the way is replaced by another one', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  for (const { prompts } of fakes) prompts.hold();
  const { begin } = await comfyWorld({ fakes });
  const { picture } = begin();
  const first = await fakes[0].until(() => fakes.find(({ submitted }) => submitted.length > 0), 'a prompt');
  await first.down();
  for (const { prompts } of fakes) prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([1, 1]);
});

test('a server that has lost its GPU loses its drawings to another one', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  fakes[0].prompts.fail(GPU_LOST);
  const { draw } = await comfyWorld({ fakes });
  expect(await draw()).toMatchObject({ width: 128 });
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([1, 1]);
});

test('a server that has lost a drawing gets none for a while that another one draws, twice as long each time', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  const clock = createFakeClock({ jumps: true });
  const { draw } = await comfyWorld({ fakes, clock });
  async function drawnOn() {
    expect(await draw({ taskId: randomUUID() })).toMatchObject({ width: 128 });
    return fakes.map(({ submitted }) => submitted.length);
  }
  const [broken] = fakes;
  broken.prompts.fail(GPU_LOST);
  expect(await drawnOn()).toEqual([1, 1]);
  expect(await drawnOn()).toEqual([1, 2]);
  await clock.sleep(15_000);
  expect(await drawnOn()).toEqual([2, 3]);
  broken.prompts.fail();
  await clock.sleep(20_000);
  expect(await drawnOn()).toEqual([2, 4]);
  await clock.sleep(10_000);
  expect(await drawnOn()).toEqual([3, 4]);
  // Once it has drawn, all is forgotten.
  broken.prompts.fail(GPU_LOST);
  expect(await drawnOn()).toEqual([4, 5]);
  await clock.sleep(15_000);
  expect(await drawnOn()).toEqual([5, 6]);
});

test('what another server has no room for waits until then', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  const clock = createFakeClock({ jumps: true });
  const { begin, draw } = await comfyWorld({ fakes, clock });
  const [broken, well] = fakes;
  broken.prompts.fail(GPU_LOST);
  await draw();
  broken.prompts.fail();
  well.prompts.hold();
  const from = clock.now();
  const pictures = [1, 2, 3].map(() => begin({ taskId: randomUUID() }).picture);
  await broken.until(() => broken.submitted.length === 2, 'the third prompt');
  expect(clock.now() - from).toBeGreaterThan(14_000);
  well.prompts.release();
  await Promise.all(pictures);
  expect(well.submitted).toHaveLength(3);
});

test('what no other server has the model for is drawn at once by one that has lost it', async () => {
  const models = { ...FAKE_MODELS, checkpoints: ['rare.safetensors'] };
  const fakes = [await createFakeComfy(), await createFakeComfy({ models })] as const;
  const clock = createFakeClock({ jumps: true });
  const { begin } = await comfyWorld({ fakes, clock });
  const [, lone] = fakes;
  lone.prompts.hold();
  const from = clock.now();
  const { picture } = begin({ model: 'rare.safetensors' });
  await lone.until(() => lone.prompts.running, 'the prompt');
  lone.prompts.interrupt();
  lone.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(lone.submitted).toHaveLength(2);
  expect(clock.now() - from).toBeLessThan(15_000);
});

test('one that loses drawings again after its rest counts as unhealthy while it rests, and says why, unless it draws one', async () => {
  const clock = createFakeClock({ jumps: true });
  const { comfy, engine, draw } = await comfyWorld({ clock });
  const [server] = engine.servers ?? [];
  const isHealthy = () => server?.isHealthy(AbortSignal.timeout(WAIT_TIMEOUT_MS));
  const lose = () => failureOf(draw({ taskId: randomUUID() }));
  comfy.prompts.fail(GPU_LOST);
  await lose();
  expect(await isHealthy()).toBe(true);
  await clock.sleep(15_000);
  await lose();
  expect(await isHealthy()).toBe(false);
  expect(server?.problem?.()).toBe(
    'loses what it draws: the server has lost its GPU, until it is started anew',
  );
  await clock.sleep(30_000);
  expect(await isHealthy()).toBe(true);
  await lose();
  expect(await isHealthy()).toBe(false);
  comfy.prompts.fail();
  await draw({ taskId: randomUUID() });
  expect(await isHealthy()).toBe(true);
});

test('what was interrupted on one server is begun again on another one', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  for (const { prompts } of fakes) prompts.hold();
  const { begin } = await comfyWorld({ fakes });
  const { picture } = begin();
  const first = await fakes[0].until(() => fakes.find(({ prompts }) => prompts.running), 'a prompt');
  first.prompts.interrupt();
  for (const { prompts } of fakes) prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([1, 1]);
});

test('a lone server that dies on the way is used again once it is back', async () => {
  const { comfy, begin } = await comfyWorld({ silenceMs: 20 });
  comfy.prompts.hold();
  const { drawing, picture } = begin();
  await comfy.running(drawing.taskId);
  await comfy.down();
  comfy.restart();
  comfy.prompts.release();
  await comfy.up();
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});

test('a server that fails is not called for a while, twice as long each time', async () => {
  const clock = createFakeClock({ jumps: true });
  const { comfy, begin, lines } = await comfyWorld({ clock });
  await comfy.down();
  const { picture, stop } = begin();
  const waits = () => lines.map((line) => JSON.parse(line).retryInMs).filter(Boolean);
  await comfy.until(() => waits().length >= 8, 'eight failures');
  stop('deadline');
  expect(await failureOf(picture)).toBe('deadline');
  expect(waits().slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(clock.sleeps.every((ms) => ms === 1_000)).toBe(true);
});

test('a server that is silent while it draws for us is not away', async () => {
  const { comfy, engine, begin, lines } = await comfyWorld({ silenceMs: WAIT_TIMEOUT_MS });
  const rejection = () => engine.rejection?.({ prompt: '', workflow: 'default', model: undefined });
  comfy.prompts.hold();
  const running = begin();
  await comfy.running(running.drawing.taskId);
  await comfy.down();
  const waiting = begin({ taskId: randomUUID() });
  await comfy.until(() => lines.some((line) => line.includes('is unavailable')), 'a call that fails');
  expect(await rejection()).toBeUndefined();
  for (const { picture, stop } of [running, waiting]) {
    stop('lost');
    expect(await failureOf(picture)).toBe('lost');
  }
  expect(await rejection()).toMatchObject({ reason: 'No image server can be reached at the moment.' });
});

test('the log tells from the start which servers are there, before anything is drawn', async () => {
  const [well, gone] = [await createFakeComfy(), await createFakeComfy()];
  await gone.down();
  const { lines } = await comfyWorld({ fakes: [well, gone] });
  await expect
    .poll(() => lines.map((line) => JSON.parse(line).msg).sort())
    .toEqual([
      'a ComfyUI server is available',
      'a ComfyUI server is unavailable; trying again later. Check COMFYUI_URL',
    ]);
});

test('a server that does not answer the health check is given up after the timeout', async () => {
  const hanging = await createFakeComfy();
  hanging.fault('/system_stats', () => true);
  const { draw, comfy } = await comfyWorld({ fakes: [await createFakeComfy(), hanging], timeoutMs: 3_000 });
  expect(await draw()).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(1);
});

test('a server that does not list its models is not waited for where another one has room', async () => {
  const hanging = await createFakeComfy();
  hanging.fault('/models', () => true);
  const { draw, comfy } = await comfyWorld({ fakes: [await createFakeComfy(), hanging] });
  for (const seed of [1, 2]) expect(await draw({ seed })).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
  expect(hanging.requests('/models')).toEqual([]);
});

test.each(['/models', '/prompt'])(
  'a server that does not answer %s is not called for a while, twice as long each time, and the log names it',
  async (path) => {
    const clock = createFakeClock({ jumps: true });
    const hanging = await createFakeComfy();
    hanging.fault(path, () => true);
    const healthy = await createFakeComfy();
    const { draw, lines } = await comfyWorld({
      fakes: [hanging, healthy],
      clock,
      timeoutMs: 3_000,
      pollMs: 1,
    });
    const warned = () =>
      lines
        .map((line) => JSON.parse(line))
        .filter(({ server, retryInMs }) => server === new URL(hanging.url).host && retryInMs)
        .map(({ retryInMs }) => retryInMs);
    for (const seed of [1, 2]) await draw({ seed });
    expect(hanging.requests(path)).toHaveLength(1);
    expect(warned()).toEqual([1_000]);
    await clock.sleep(1_000);
    for (const seed of [3, 4]) await draw({ seed });
    expect(hanging.requests(path)).toHaveLength(2);
    expect(warned()).toEqual([1_000, 2_000]);
    expect(healthy.submitted).toHaveLength(4);
  },
);

test('a drawing goes to a server that has its model', async () => {
  const models = { ...FAKE_MODELS, checkpoints: ['rare.safetensors'] };
  const fakes = [await createFakeComfy(), await createFakeComfy({ models })];
  const { draw } = await comfyWorld({ fakes });
  for (const seed of [1, 2, 3]) await draw({ seed, model: 'rare.safetensors' });
  for (const seed of [4, 5]) await draw({ seed });
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([2, 3]);
});

test('without the usual model the workflow default is drawn with any that there is, unless its operator names one', async () => {
  const models = { ...FAKE_MODELS, checkpoints: ['flux.safetensors', 'dreams.safetensors'] };
  const fakes = [await createFakeComfy({ models }), await createFakeComfy({ models })];
  const { draw, engine } = await comfyWorld({ fakes });
  expect(await engine.rejection?.({ prompt: '', workflow: 'default', model: undefined })).toBeUndefined();
  await draw();
  const [prompt] = fakes.flatMap(({ submitted }) => submitted);
  expect(JSON.stringify(prompt?.graph)).toContain('"ckpt_name":"dreams.safetensors"');
  expect(await engine.rejection?.({ prompt: '', workflow: 'anime', model: undefined })).toMatchObject({
    field: 'workflow',
  });
  const { engine: other } = await comfyWorld({ fakes, models: modelList.parse({ default: 'v2' }) });
  expect(await other.rejection?.({ prompt: '', workflow: 'default', model: undefined })).toMatchObject({
    reason: 'There is no model v2 in checkpoints; the servers have flux.safetensors, dreams.safetensors.',
  });
  const named = draw({ model: 'v1-5-pruned-emaonly' });
  await expect(named).rejects.toThrow('There is no model v1-5-pruned-emaonly in checkpoints');
});

test('the model that an operator names for a workflow like z-image draws it', async () => {
  const models = { ...FAKE_MODELS, diffusion_models: ['z_image_turbo.safetensors', 'moody_z.safetensors'] };
  const { comfy, draw, engine } = await comfyWorld({ fake: { models } });
  await draw({ workflow: 'z-image', model: 'moody_z' });
  expect(JSON.stringify(comfy.submitted[0]?.graph)).toContain('"unet_name":"moody_z.safetensors"');
  const request = { prompt: '', workflow: 'z-image', model: 'moodier' } as const;
  expect(await engine.rejection?.(request)).toMatchObject({ field: 'model' });
});

test('a model that no server has is named, with those that there are', async () => {
  const { comfy, draw } = await comfyWorld();
  const failure = await failureOf(draw({ model: 'dreams.safetensors' }));
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain('dreams.safetensors');
  expect(String(failure)).toContain('v1-5-pruned-emaonly-fp16.safetensors');
  expect(comfy.submitted).toEqual([]);
});

test('a graph that names a model which no server has is refused before it waits and is charged', async () => {
  const { engine, comfy } = await comfyWorld();
  const graphOf = (ckpt_name: string) => ({
    ...noiseGraph(),
    '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name } },
    '5': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name } },
  });
  const rejectionOf = (prompt: Graph) =>
    engine.rejection?.({ prompt, workflow: 'default', model: undefined });
  const [known = ''] = FAKE_MODELS.checkpoints;
  expect(await rejectionOf(graphOf(known))).toBeUndefined();
  expect(await rejectionOf(graphOf('dreams.safetensors'))).toEqual({
    field: 'prompt',
    reason: `There is no model dreams.safetensors in checkpoints; the servers have ${FAKE_MODELS.checkpoints.join(', ')}.`,
  });
  expect(comfy.requests('/models/checkpoints')).toHaveLength(1);
});

test.each([
  ['a name that only VAELoader knows', { class_type: 'VAELoader', inputs: { vae_name: 'pixel_space' } }],
  ['a model for a foreign node', { class_type: 'UnetLoaderGGUF', inputs: { unet_name: 'flux-Q4.gguf' } }],
])('a graph with %s is drawn, as its folder is not the usual one', async (_name, loader) => {
  const { engine, draw } = await comfyWorld({
    fake: { models: { ...FAKE_MODELS, unet_gguf: ['flux-Q4.gguf'] } },
    allowedNodes: [...NODE_CLASSES, 'UnetLoaderGGUF'],
  });
  const prompt = { ...noiseGraph(), '4': loader, '5': { class_type: 'SaveImage', inputs: { of: ['4', 0] } } };
  expect(await engine.rejection?.({ prompt, workflow: 'default', model: undefined })).toBeUndefined();
  expect(await draw({ prompt })).toMatchObject({ width: 128 });
});

test('what a version has no folder for is not offered, and in a caller’s graph left to its own judgement', async () => {
  const { text_encoders: _unknown, ...models } = FAKE_MODELS;
  const { draw, engine } = await comfyWorld({ fake: { models } });
  const reason = 'There is no model qwen_3_4b in text_encoders; the servers have none at all.';
  const request = { prompt: '', workflow: 'z-image', model: undefined } as const;
  expect(await engine.rejection?.(request)).toEqual({ field: 'workflow', reason });
  expect(String(await failureOf(draw({ workflow: 'z-image' })))).toContain(reason);
  const loader = { class_type: 'CLIPLoader', inputs: { clip_name: 'old.safetensors' } };
  const prompt = { ...noiseGraph(), '4': loader, '5': { class_type: 'SaveImage', inputs: { of: ['4', 0] } } };
  expect(await engine.rejection?.({ ...request, prompt })).toBeUndefined();
  expect(String(await failureOf(draw({ prompt })))).toContain('Value not in list');
});

test('a server is asked about itself and its models now and then, not for each drawing', async () => {
  const { comfy, draw } = await comfyWorld();
  for (const seed of [1, 2, 3]) await draw({ seed });
  expect(comfy.requests('/system_stats')).toHaveLength(1);
  expect(comfy.requests('/models')).toHaveLength(1);
});

test('whoever asks at the same time what models a server has is told the same answer', async () => {
  const { engine, comfy } = await comfyWorld();
  const asking = (['default', 'anime', 'default'] as const).flatMap((workflow) => [
    engine.models?.(workflow),
    engine.operations?.(workflow),
  ]);
  await Promise.all(asking);
  expect(comfy.requests('/models')).toHaveLength(1);
  expect(comfy.requests('/object_info')).toHaveLength(2);
});

test('a password in an address is sent along, and is in no log', async () => {
  const comfy = await createFakeComfy();
  const { port } = new URL(comfy.url);
  const servers = [`http://ann:p%40ss@127.0.0.1:${port}/comfy/`];
  const { lines } = await comfyWorld({ fakes: [comfy], servers });
  const [request] = await comfy.until(() => {
    const asked = comfy.requests('/comfy/system_stats');
    return asked.length > 0 && asked;
  }, 'a health check');
  await comfy.until(() => lines.length > 0, 'its end in the log');
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
  expect(lines.join('')).toContain(`127.0.0.1:${port}`);
  expect(lines.join('')).not.toMatch(/p%40ss|p@ss|Basic/);
});

test('a server that dies while it has nothing to do costs no attempt', async () => {
  const { comfy, draw, begin } = await comfyWorld();
  await draw();
  await comfy.down();
  const { picture } = begin({ seed: 8 });
  await comfy.up();
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});

test('the log names servers and never a prompt', async () => {
  const { comfy, draw, lines } = await comfyWorld();
  comfy.fault('/prompt', ({ method }, response) => method === 'POST' && Boolean(response.destroy()), 1);
  await draw({ prompt: 'SECRET-WORDS' });
  expect(lines.join('')).toContain(new URL(comfy.url).host);
  expect(lines.join('')).not.toContain('SECRET-WORDS');
});
