import { expect, test } from 'vitest';
import { createSketchEngine } from '../src/engines/sketch.ts';
import { comfyWorld } from './support/comfy-engine.ts';
import { type ServiceWorld, serviceWorld } from './support/service.ts';

/** The finished picture of a submission, byte by byte. */
async function pictureOf(world: ServiceWorld, submission: object): Promise<Buffer> {
  const id = await world.submitted({ prompt: 'a red fox in the snow', width: 96, height: 96, ...submission });
  const task = await world.until(id);
  if (task.status !== 'completed') throw new Error(`the task is ${task.status}`);
  return Buffer.from(await (await fetch(task.result.image_url)).arrayBuffer());
}

test('a variation is neither the picture that it varies nor any other of its seed, and comes again', async () => {
  const world = await serviceWorld({ engine: createSketchEngine() });
  const varied = await pictureOf(world, { seed: 9, variation_of: 7 });
  expect(varied).not.toEqual(await pictureOf(world, { seed: 7 }));
  expect(varied).not.toEqual(await pictureOf(world, { seed: 9 }));
  expect(varied).toEqual(await pictureOf(world, { seed: 9, variation_of: 7 }));
});

test('what cannot vary a picture says so, and draws another one', async () => {
  const { engine } = await comfyWorld();
  const world = await serviceWorld({ engine });
  const answer = await world.submit({ prompt: 'a fox', width: 64, height: 64, seed: 9, variation_of: 7 });
  expect(JSON.parse(await answer.text()).data.warnings).toEqual([
    'variation_of has no effect in the workflow default',
  ]);
});
