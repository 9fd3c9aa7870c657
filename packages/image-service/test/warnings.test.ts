import { expect, test } from 'vitest';
import { createSketchEngine } from '../src/engines/sketch.ts';
import { comfyWorld } from './support/comfy-engine.ts';
import { type ServiceWorld, serviceWorld } from './support/service.ts';

/** The warnings that a submission comes back with. */
function warner(world: ServiceWorld) {
  return async (submission: object): Promise<unknown> => {
    const answer = await world.submit({ prompt: 'a fox', width: 64, height: 64, ...submission });
    return JSON.parse(await answer.text()).data.warnings;
  };
}

test('whoever asks for a model is told that a sketch has none', async () => {
  const world = await serviceWorld({ engine: createSketchEngine() });
  const warnings = warner(world);
  expect(await warnings({ model: 'nope.safetensors' })).toEqual([
    'model has no effect in the workflow default, which is sketched here',
  ]);
  expect(await warnings({ workflow: 'rr3', model: 'nope.safetensors' })).toEqual([
    'model has no effect in the workflow rr3',
  ]);
  expect(await warnings({ width: 65, height: 67 })).toBeUndefined();
});

test('whoever asks ComfyUI for a size that it cannot sample is told which one it will be', async () => {
  const { engine } = await comfyWorld();
  const warnings = warner(await serviceWorld({ engine }));
  expect(await warnings({ width: 515, height: 517 })).toEqual([
    'width and height are rounded to multiples of 8: this picture has 512 × 520 pixels',
  ]);
  expect(await warnings({ width: 520, height: 512 })).toBeUndefined();
});
