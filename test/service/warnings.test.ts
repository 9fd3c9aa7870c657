import { expect, test } from 'vitest';
import { createSketchEngine } from '../../src/service/engines/sketch/engine.ts';
import { serviceWorld } from '../support/service.ts';

test('whoever asks for a model is told that a sketch has none', async () => {
  const world = await serviceWorld({ engine: createSketchEngine() });
  const warnings = async (submission: object) => {
    const answer = await world.submit({ prompt: 'a fox', width: 64, height: 64, ...submission });
    return JSON.parse(await answer.text()).data.warnings;
  };
  expect(await warnings({ model: 'nope.safetensors' })).toEqual([
    'model has no effect in the workflow default, which is sketched here',
  ]);
  expect(await warnings({ workflow: 'rr3', model: 'nope.safetensors' })).toEqual([
    'model has no effect in the workflow rr3',
  ]);
  expect(await warnings({ width: 65, height: 67 })).toBeUndefined();
});
