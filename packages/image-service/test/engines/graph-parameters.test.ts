import { graph as graphSchema, LIMITS } from '@darkroom/image-api';
import { growsTooFast } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readGraphParameters } from '../../src/engines/graph-parameters.ts';

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

const TEXT_TO_IMAGE = {
  '3': node('KSampler', {
    seed: 156_680,
    steps: 24,
    cfg: 8,
    sampler_name: 'euler',
    model: ['4', 0],
    positive: ['6', 0],
    negative: ['7', 0],
    latent_image: ['5', 0],
  }),
  '4': node('CheckpointLoaderSimple', { ckpt_name: 'v1-5.safetensors' }),
  '5': node('EmptyLatentImage', { width: 768, height: 640, batch_size: 1 }),
  '6': node('CLIPTextEncode', { text: 'a castle at dawn', clip: ['4', 1] }),
  '7': node('CLIPTextEncode', { text: 'birds', clip: ['4', 1] }),
  '9': node('SaveImage', { images: ['8', 0] }),
};

it('reads text, seed, steps, guidance and size from a plain graph', () => {
  expect(readGraphParameters(TEXT_TO_IMAGE)).toEqual({
    prompt: 'a castle at dawn',
    negativePrompt: 'birds',
    seed: 156_680,
    steps: 24,
    cfg: 8,
    width: 768,
    height: 640,
  });
});

it('follows links through other conditioning and to primitive values', () => {
  const graph = {
    ...TEXT_TO_IMAGE,
    '3': node('KSampler', { ...TEXT_TO_IMAGE['3'].inputs, positive: ['20', 0], seed: ['22', 0] }),
    '20': node('ConditioningSetArea', { conditioning: ['21', 0], width: 64 }),
    '21': node('CLIPTextEncode', { text: ['23', 0] }),
    '22': node('PrimitiveInt', { value: 12 }),
    '23': node('StringConstant', { string: 'a whale' }),
  };
  expect(readGraphParameters(graph)).toMatchObject({ prompt: 'a whale', seed: 12 });
});

it('keeps values inside the limits', () => {
  const graph = {
    ...TEXT_TO_IMAGE,
    '3': node('KSampler', { ...TEXT_TO_IMAGE['3'].inputs, steps: 900, cfg: -4 }),
    '5': node('EmptyLatentImage', { width: 9_000, height: 8 }),
  };
  expect(readGraphParameters(graph)).toMatchObject({ steps: 50, cfg: 0, width: 2048, height: 64 });
});

it('reads seed and steps where Flux keeps them', () => {
  const graph = {
    choice: node('KSamplerSelect', { sampler_name: 'euler' }),
    noise: node('RandomNoise', { noise_seed: 42 }),
    scheduler: node('BasicScheduler', { steps: 30, denoise: 1 }),
    latent: node('EmptySD3LatentImage', { width: 640, height: 384, batch_size: 1 }),
    words: node('CLIPTextEncode', { text: 'a whale' }),
    sampler: node('SamplerCustomAdvanced', {
      noise: ['noise', 0],
      sampler: ['choice', 0],
      sigmas: ['scheduler', 0],
      latent_image: ['latent', 0],
    }),
  };
  expect(readGraphParameters(graph)).toEqual({
    prompt: 'a whale',
    seed: 42,
    steps: 30,
    width: 640,
    height: 384,
  });
});

it.each([2 ** 60, -1, 0.5, ['nowhere', 0]])('takes a seed of %s for unknown', (seed) => {
  expect(readGraphParameters({ '1': node('KSampler', { seed }) })).not.toHaveProperty('seed');
});

it('takes a graph without text as its own prompt, in whatever order it was written', () => {
  const one = {
    a: node('LoadImage', { image: 'x.png', mode: 1 }),
    b: node('SaveImage', { images: ['a', 0] }),
  };
  const other = {
    b: node('SaveImage', { images: ['a', 0] }),
    a: node('LoadImage', { mode: 1, image: 'x.png' }),
  };
  expect(readGraphParameters(one)).toEqual(readGraphParameters(other));
  expect(readGraphParameters(one).prompt).toContain('x.png');
});

it('ends on links that go round in circles', () => {
  const graph = {
    '1': node('KSampler', { positive: ['2', 0], seed: ['1', 0] }),
    '2': node('ConditioningCombine', { conditioning: ['3', 0] }),
    '3': node('ConditioningCombine', { conditioning: ['2', 0] }),
  };
  expect(readGraphParameters(graph).prompt).toContain('KSampler');
});

it.each(['empty', 'latent', 'sampler', 'emptylatent '])(
  'reads a class of “%s” again and again in a time that grows no faster than the class',
  (word) => {
    const read = (times: number) => void readGraphParameters({ '1': node(word.repeat(times), {}) });
    expect(growsTooFast(read, 2_000)).toBe(false);
  },
);

it('makes something that can be drawn of any graph', () => {
  const id = fc.constantFrom('1', '2', '3', '4', '__proto__', 'constructor');
  const link = fc.tuple(id, fc.nat(3));
  const value = fc.oneof(link, fc.jsonValue(), fc.double(), fc.integer(), fc.string());
  const input = fc.constantFrom(
    'positive',
    'negative',
    'text',
    'seed',
    'steps',
    'cfg',
    'latent_image',
    'width',
    'height',
    'conditioning',
    'value',
  );
  const anyNode = fc.record({
    class_type: fc.constantFrom('KSampler', 'KSamplerAdvanced', 'CLIPTextEncode', 'EmptyLatentImage', 'X'),
    inputs: fc.dictionary(input, value),
  });
  fc.assert(
    fc.property(fc.dictionary(id, anyNode, { minKeys: 1 }), (nodes) => {
      const { data: graph } = graphSchema.safeParse(nodes);
      fc.pre(graph !== undefined);
      const read = readGraphParameters(graph);
      expect(typeof read.prompt).toBe('string');
      for (const name of ['width', 'height', 'steps', 'seed', 'cfg'] as const) {
        const found = read[name];
        if (found === undefined) continue;
        expect(found).toBeGreaterThanOrEqual(LIMITS[name].min);
        expect(found).toBeLessThanOrEqual(LIMITS[name].max);
        if (name !== 'cfg') expect(Number.isInteger(found)).toBe(true);
      }
    }),
  );
});
