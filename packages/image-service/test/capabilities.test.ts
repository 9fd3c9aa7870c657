import { envelope, OPERATIONS } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { comfyWorld } from './support/comfy-engine.ts';
import { instantEngine } from './support/engines.ts';
import { FAKE_MODELS } from './support/fake-comfyui.ts';
import { body, type ServiceWorld, serviceWorld } from './support/service.ts';

const capabilitiesOf = async (world: ServiceWorld, key = world.key) => {
  const answer = await world.call('/v1/index.php?endpoint=capabilities', { headers: { 'x-api-key': key } });
  return (await body(answer, envelope(OPERATIONS.capabilities.answer.sent))).data;
};

test('a service tells what can be asked for in each workflow, and the limits', async () => {
  const { engine } = await comfyWorld();
  const world = await serviceWorld({
    engine,
    rr3Engine: instantEngine(),
    workflows: { photo: { engine: 'comfyui', model: 'sdxl/animagine', steps: 28, width: 515 } },
    price: ({ steps }) => steps / 10,
  });
  const { workflows, limits } = await capabilitiesOf(world);
  expect(workflows.map(({ name, engine }) => [name, engine])).toEqual([
    ['default', 'comfyui'],
    ['anime', 'comfyui'],
    ['z-image', 'comfyui'],
    ['rr3', 'instant'],
  ]);
  expect(workflows[0]).toEqual({
    name: 'default',
    engine: 'comfyui',
    available: true,
    effects: ['negative_prompt', 'steps', 'seed', 'model'],
    models: FAKE_MODELS.checkpoints.toSorted(),
    size: { width: 512, height: 512, step: 8, max_pixels: 2048 ** 2 },
    steps: { default: 20, max: 50 },
    graphs: true,
    previews: true,
    cancelling: true,
    seen_by_strangers: false,
    cost: 2,
    operations: expect.anything(),
  });
  expect(workflows[2]).toMatchObject({ effects: ['steps', 'seed'], models: [] });
  const { running, waiting, perMinute: per_minute, taskMs } = SERVICE_LIMITS;
  expect(limits).toEqual({ running, waiting, per_minute, task_seconds: taskMs / 1_000 });
});

test('a key with limits of its own is told those, and the other keys of its account what they share', async () => {
  const world = await serviceWorld({ limits: { running: 5, waiting: 500, perMinute: 60, taskMs: 60_000 } });
  const own = await world.service.keys.generate(world.id);
  const limitsOf = async (key: string) => (await capabilitiesOf(world, key)).limits;
  const shared = { running: 5, waiting: 500, per_minute: 60, task_seconds: 60 };
  await world.service.keys.limit(world.id, own.slice(-4), { maxRunning: 1, maxPerMinute: 7 });
  expect(await limitsOf(own)).toEqual({ ...shared, running: 1, per_minute: 7 });
  expect(await limitsOf(world.key)).toEqual(shared);
  await world.service.keys.limit(world.id, own.slice(-4), { maxRunning: null, maxWaiting: 0 });
  expect(await limitsOf(own)).toEqual({ ...shared, waiting: 0, per_minute: 7 });
});

test('what could not be told once is told as soon as it can be', async () => {
  let asked = 0;
  const engine = {
    ...instantEngine(),
    models: async () => (++asked > 1 ? ['a'] : Promise.reject(new Error('away'))),
  };
  const world = await serviceWorld({ engine });
  expect((await world.call('/v1/index.php?endpoint=capabilities')).status).toBe(500);
  expect((await capabilitiesOf(world)).workflows[0]).toMatchObject({ name: 'default', models: ['a'] });
});

test('a workflow whose engine is away stays, with when to come back; one whose models nobody has is left out', async () => {
  const { engine, comfy } = await comfyWorld({ fake: { models: { ...FAKE_MODELS, vae: [] } } });
  const photo = { engine: 'comfyui', model: 'realvis' };
  const world = await serviceWorld({ engine, workflows: { photo } });
  expect((await capabilitiesOf(world)).workflows.map(({ name }) => name)).toEqual([
    'default',
    'anime',
    'rr3',
  ]);
  const warned = world.lines.filter((line) => line.includes('is not offered'));
  expect(warned).toHaveLength(2);
  expect(warned.join()).toMatch(
    /z-image is not offered\. There is no model ae\S+ in vae; .*Check COMFYUI_MODELS/,
  );
  expect(warned.join()).toMatch(
    /photo is not offered\. There is no model realvis in .*Check SERVICE_WORKFLOWS/,
  );
  await comfy.down();
  const away = await comfyWorld({ fakes: [comfy] });
  const other = await serviceWorld({ engine: away.engine });
  const { workflows } = await capabilitiesOf(other);
  expect(workflows[0]).toMatchObject({ name: 'default', available: false, models: [] });
  expect(workflows[0]?.retry_after_seconds).toBeGreaterThan(0);
  expect(workflows.find(({ name }) => name === 'rr3')).toMatchObject({ available: true });
});
