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
    'model has no effect in the workflow default',
  ]);
  expect(await warnings({ workflow: 'rr3', model: 'nope.safetensors' })).toEqual([
    'model has no effect in the workflow rr3',
  ]);
  expect(await warnings({ width: 65, height: 67 })).toBeUndefined();
});

test('whoever asks for nothing indecent is not told that this has no effect', async () => {
  const warnings = warner(await serviceWorld());
  const graph = { '1': { class_type: 'SaveImage', inputs: {} } };
  for (const prompt of ['a fox', graph]) {
    expect(`${await warnings({ prompt, nsfw: false })}`).not.toContain('nsfw');
    expect(`${await warnings({ prompt, nsfw: true })}`).toContain('nsfw has no effect');
  }
});

test('whoever sends a graph as text is told that it is drawn as words', async () => {
  const warnings = warner(await serviceWorld());
  const graph = { '1': { class_type: 'SaveImage', inputs: {} } };
  expect(await warnings({ prompt: JSON.stringify(graph) })).toEqual([
    'prompt is drawn as words: a graph is sent as an object, not as text',
  ]);
  expect(await warnings({ prompt: '{"class_type" is what I call a fox}' })).toBeUndefined();
});

test('whoever asks ComfyUI for a size that it cannot sample is told which one it will be', async () => {
  const { engine } = await comfyWorld();
  const warnings = warner(await serviceWorld({ engine }));
  expect(await warnings({ width: 515, height: 517 })).toEqual([
    'width and height are rounded to multiples of 8: this picture has 512 × 520 pixels',
  ]);
  expect(await warnings({ width: 520, height: 512 })).toBeUndefined();
});

test('whoever misspells a parameter, or asks for what is not here, is told so, and of the rest nothing', async () => {
  const world = await serviceWorld();
  const warnings = warner(world);
  expect(
    await warnings({
      negativePrompt: 'grey',
      cfg_scale: 7,
      n: 4,
      input_image: 'https://example.com/fox.png',
      'ti\ntle': 'fox',
      quality: null,
      api_key: world.key,
    }),
  ).toEqual([
    'negativePrompt is no parameter and has no effect; did you mean negative_prompt?',
    'cfg_scale is no parameter and has no effect; did you mean cfg?',
    'n is no parameter and has no effect: a submission makes one picture: submit again for another',
    'input_image is no parameter and has no effect; did you mean image?',
    'ti tle is no parameter and has no effect',
  ]);
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`.padEnd(300, 'x'), 1]));
  const told = (await warnings(many)) as string[];
  expect([told.length, Math.max(...told.map(({ length }) => length))]).toEqual([10, 74]);
});
