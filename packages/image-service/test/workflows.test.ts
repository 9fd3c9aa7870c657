import { expect, test } from 'vitest';
import { loadServiceConfig } from '../src/config.ts';
import { ALL_ABILITIES, type Engine } from '../src/engines/engine.ts';
import { createWorkflows } from '../src/workflows/workflows.ts';
import { controlledEngine, failingEngine, instantEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';

test('a workflow of the operator is drawn like another one, with its own engine, model and defaults', async () => {
  const photos = controlledEngine();
  const world = await serviceWorld({
    engine: failingEngine(),
    rr3Engine: photos,
    workflows: {
      photo: { engine: photos.name, like: 'anime', model: 'real.safetensors', steps: 28, width: 768 },
    },
  });
  const answer = await world.submit({ prompt: 'a fox', workflow: 'photo', model: 'dreams', cfg: 5 });
  const { data } = JSON.parse(await answer.text());
  expect(data.warnings).toEqual(['model has no effect in the workflow photo']);
  const drawing = await photos.next();
  expect(drawing.requested).toMatchObject({
    workflow: 'anime',
    model: 'real.safetensors',
    steps: 28,
    width: 768,
    height: 512,
    cfg: 5,
  });
  await drawing.finish();
  expect(await world.until(data.id)).toMatchObject({ status: 'completed' });
  const listed = await world.call('/v1/index.php?endpoint=task_list');
  expect(JSON.parse(await listed.text()).data.tasks[0]).toMatchObject({ workflow: 'photo' });
});

test('a workflow that nobody has heard of is refused with those that there are', async () => {
  const world = await serviceWorld({ workflows: { photo: {} } });
  const refused = await world.submit({ prompt: 'a fox', workflow: 'foto' });
  expect(refused.status).toBe(400);
  expect(await problemOf(refused)).toMatchObject({
    code: 'unknown_workflow',
    details: { received: 'foto', allowed: ['default', 'anime', 'z-image', 'rr3', 'photo'] },
  });
});

test('what an engine cannot draw becomes the nearest that it can, is said, and is what is paid for', async () => {
  const engine: Engine = {
    ...instantEngine(),
    abilities: () => ({
      ...ALL_ABILITIES,
      effects: ['seed'],
      graphs: false,
      sizeStep: 64,
      maxPixels: 1024 ** 2,
      maxSteps: 40,
    }),
  };
  const world = await serviceWorld({ engine, price: ({ pixels, steps }) => steps + pixels / 1024 ** 2 });
  const answer = await world.submit({ prompt: 'a fox', width: 2048, height: 512, model: 'm', steps: 50 });
  const { data } = JSON.parse(await answer.text());
  expect(data).toMatchObject({
    cost: 21,
    warnings: ['steps has no effect in the workflow default', 'model has no effect in the workflow default'],
  });
  const large = JSON.parse(await (await world.submit({ prompt: 'a fox', width: 1500, height: 1500 })).text());
  expect(large.data.warnings).toEqual([
    'a picture may have at most 1048576 pixels here: this picture has 1024 × 1024 pixels',
  ]);
  const graph = { 1: { class_type: 'KSampler', inputs: {} } };
  expect(await problemOf(await world.submit({ prompt: graph }))).toMatchObject({
    code: 'graph_not_supported',
    message: 'The workflow default takes a text prompt, not a graph.',
  });
});

test('an engine has as many drawings at once as it takes, whatever others do', async () => {
  const narrow = { ...controlledEngine(), slots: 1 };
  const world = await serviceWorld({ engine: narrow, rr3Engine: instantEngine() });
  for (let more = 0; more < 3; more++) await world.submitted({ prompt: 'a fox' });
  const first = await narrow.next();
  const rr3 = await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  expect(await world.until(rr3)).toMatchObject({ status: 'completed' });
  expect(narrow.begun).toHaveLength(1);
  await first.finish();
  await (await narrow.next()).finish();
});

test('an engine that is not set up, or cannot draw a workflow, is named with what to do', () => {
  const sketch = { ...instantEngine(), name: 'sketch' };
  const blind = { ...instantEngine(), name: 'comfyui', abilities: () => undefined };
  expect(() => createWorkflows({ engines: [sketch], settings: { photo: { engine: 'comfyui' } } })).toThrow(
    'SERVICE_WORKFLOWS: photo is to be drawn by comfyui, which is not set up: set COMFYUI_URL.',
  );
  expect(() =>
    createWorkflows({ engines: [blind, sketch], settings: { rr3: { engine: 'comfyui' } } }),
  ).toThrow(
    'SERVICE_WORKFLOWS: rr3 is to be drawn by comfyui, which cannot draw it. Leave its engine out, or name another one.',
  );
});

test('SERVICE_WORKFLOWS names an engine alone, or says more', () => {
  const { SERVICE_WORKFLOWS } = loadServiceConfig({
    SERVICE_WORKFLOWS: '{"anime":"sketch","photo":{"engine":"comfyui","price":{"step":0.1}}}',
  });
  expect(SERVICE_WORKFLOWS).toEqual({
    anime: { engine: 'sketch' },
    photo: { engine: 'comfyui', price: { picture: 0, megapixel: 0, step: 0.1 } },
  });
});
