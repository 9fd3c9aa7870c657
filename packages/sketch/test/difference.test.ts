import { expect, it } from 'vitest';
import { renderPasses } from '../src/render-passes.ts';
import type { Scene } from '../src/scene.ts';
import { difference, pixels, sketchRequest } from './support/sketch.ts';

const WORKFLOWS = ['default', 'anime', 'z-image', 'rr3'] as const;

/** Mean difference of a channel, of 255, that nobody overlooks. */
const PLAIN = 10;

const PROMPTS = [
  'a red fox in the snow',
  'a lighthouse at night in a storm',
  'desert caravan at noon',
  'abstract waves of blue and gold',
  'an astronaut on the moon',
  'a turtle in a coral reef',
];

it('gives each prompt a picture of its own', async () => {
  const pictures = await Promise.all(PROMPTS.map((prompt) => pixels({ prompt })));
  for (const [index, picture] of pictures.entries()) {
    for (const other of pictures.slice(index + 1)) expect(difference(picture, other)).toBeGreaterThan(PLAIN);
  }
});

it('gives each workflow a look of its own', async () => {
  const pictures = await Promise.all(WORKFLOWS.map((workflow) => pixels({ workflow })));
  for (const [index, picture] of pictures.entries()) {
    for (const other of pictures.slice(index + 1)) expect(difference(picture, other)).toBeGreaterThan(PLAIN);
  }
});

it('gives each seed a composition of its own', async () => {
  const pictures = await Promise.all([1, 2, 3, 4].map((seed) => pixels({ seed })));
  for (const [index, picture] of pictures.entries()) {
    for (const other of pictures.slice(index + 1)) expect(difference(picture, other)).toBeGreaterThan(PLAIN);
  }
});

it('gives each variation of a seed a light of its own around the same composition', async () => {
  const layout = async (variation?: number) => {
    const shown: Scene[] = [];
    const request = sketchRequest({ prompt: 'a red fox in the snow', ...(variation && { variation }) });
    const passes = renderPasses(request, () => {});
    for await (const { scene } of passes) shown.push(scene);
    return shown.at(-1)?.actors.map(({ kind, x, y, size }) => ({ kind, x, y, size }));
  };
  const places = await Promise.all([undefined, 1, 2, 3].map(layout));
  for (const place of places) expect(place).toEqual(places[0]);
  const pictures = await Promise.all([0, 1, 2, 3].map((variation) => pixels({ variation })));
  expect(pictures[0]).toEqual(await pixels());
  for (const [index, picture] of pictures.entries()) {
    for (const other of pictures.slice(index + 1)) expect(difference(picture, other)).toBeGreaterThan(PLAIN);
  }
});

it('gives words that it does not know different pictures too', async () => {
  const one = await pixels({ prompt: 'zorblax' });
  expect(difference(one, await pixels({ prompt: 'quimfern' }))).toBeGreaterThan(PLAIN);
  expect(difference(one, await pixels({ prompt: '' }))).toBeGreaterThan(PLAIN);
});

it.each(WORKFLOWS)('lays fog before what stands in it, in the look of %s', async (workflow) => {
  for (const seed of [1, 2, 3, 4]) {
    const castle = { prompt: 'a castle in the fog', workflow, seed };
    const spread = (bytes: Buffer) => {
      const middle = bytes.subarray(bytes.length * 0.3, bytes.length * 0.8);
      const mean = middle.reduce((sum, value) => sum + value, 0) / middle.length;
      return Math.sqrt(middle.reduce((sum, value) => sum + (value - mean) ** 2, 0) / middle.length);
    };
    const clear = await pixels({ ...castle, prompt: 'a castle under a clear sky' });
    expect(spread(await pixels(castle))).toBeLessThan(spread(clear) * 0.8);
  }
});

it('does not mind case, spaces or how letters are composed', async () => {
  const one = await pixels({ prompt: 'Ein Füchslein  im Schnee' });
  expect(await pixels({ prompt: ' ein fu\u0308chslein im schnee ' })).toEqual(one);
});

it('leaves a picture of few steps as a sketch on pale paper', async () => {
  const mean = (bytes: Buffer) => bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
  const prompt = 'a wolf in the forest at night';
  const sketched = await pixels({ prompt, steps: 1 });
  const painted = await pixels({ prompt, steps: 30 });
  expect(mean(sketched)).toBeGreaterThan(mean(painted) + 30);
});

it('spreads tones further apart with more guidance', async () => {
  const spread = (bytes: Buffer) => {
    const mean = bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
    return bytes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / bytes.length;
  };
  expect(spread(await pixels({ cfg: 14 }))).toBeGreaterThan(spread(await pixels({ cfg: 1 })) * 1.2);
});
