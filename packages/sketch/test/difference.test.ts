import { expect, it } from 'vitest';

import { difference, pixels } from './support/sketch.ts';

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

it('gives words that it does not know different pictures too', async () => {
  const one = await pixels({ prompt: 'zorblax' });
  expect(difference(one, await pixels({ prompt: 'quimfern' }))).toBeGreaterThan(PLAIN);
  expect(difference(one, await pixels({ prompt: '' }))).toBeGreaterThan(PLAIN);
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
