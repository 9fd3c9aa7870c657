import type { Graph } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { pixelsOf } from '../../src/engines/graph-pixels.ts';
import { workloadOf } from '../../src/engines/workload.ts';
import { drawingOf } from '../support/drawings.ts';

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const worth = (prompt: Graph | string) => workloadOf(drawingOf({ prompt, width: 128, height: 96, steps: 4 }));

/** A sampler with a latent of its own. */
const sampling = (name: string, size: Record<string, unknown>, steps: number): Graph => ({
  [`${name}-latent`]: node('EmptyLatentImage', { batch_size: 1, ...size }),
  [name]: node('KSampler', { seed: 1, steps, latent_image: [`${name}-latent`, 0] }),
});

test('words ask for what is said beside them', () => {
  expect(worth('a fox')).toMatchObject({ pictures: 1, pixels: 128 * 96, steps: 4 });
});

test('a small sampler before a large one does not hide it', () => {
  const graph = {
    ...sampling('decoy', { width: 64, height: 64 }, 1),
    ...sampling('real', { width: 2_048, height: 2_048, batch_size: 4 }, 50),
  };
  expect(worth(graph)).toMatchObject({ pictures: 5, pixels: 4 * 2_048 ** 2 + 64 ** 2, steps: 51 });
});

test('steps are read where a scheduler says them, once for each sampler that it serves', () => {
  const custom = (noise_seed: number) =>
    node('SamplerCustomAdvanced', { noise_seed, sigmas: ['flip', 0], latent_image: ['latent', 0] });
  const graph = {
    scheduler: node('BasicScheduler', { steps: 30, denoise: 1 }),
    flip: node('FlipSigmas', { sigmas: ['scheduler', 0] }),
    latent: node('EmptySD3LatentImage', { width: 1_024, height: 512, batch_size: 1 }),
    choice: node('KSamplerSelect', { sampler_name: 'euler' }),
    one: custom(1),
    other: custom(2),
  };
  expect(worth(graph)).toMatchObject({ pictures: 1, pixels: 1_024 * 512, steps: 60 });
});

test('of samplers that share the steps each counts for its part', () => {
  const part = (start_at_step: number, end_at_step: number) =>
    node('KSamplerAdvanced', { steps: 25, start_at_step, end_at_step, latent_image: ['latent', 0] });
  expect(worth({ base: part(0, 20), refiner: part(20, 10_000) }).steps).toBe(25);
});

test.each(['KSampler', 'SamplerCustom'])(
  '%s has no part to sample, and takes all its steps',
  (class_type) => {
    expect(
      worth({ sampler: node(class_type, { steps: 50, start_at_step: 49, end_at_step: 50 }) }).steps,
    ).toBe(50);
  },
);

test('steps where a node has no such input take none away', () => {
  const graph = {
    other: node('BasicScheduler', { steps: 2 }),
    scheduler: node('BasicScheduler', { steps: 30, sigmas: ['other', 0] }),
    split: node('SplitSigmas', { sigmas: ['scheduler', 0], step: 29, steps: 1 }),
    flip: node('FlipSigmas', { sigmas: ['split', 1], steps: 1 }),
  };
  const sampler = (more: object) => node('SamplerCustom', { sigmas: ['flip', 0], ...more });
  for (const more of [{}, { steps: 1, start_at_step: 1 }])
    expect(worth({ ...graph, sampler: sampler(more) }).steps).toBeGreaterThanOrEqual(30);
});

test('a part of the steps counts only where both its ends are said in numbers', () => {
  const part = (ends: object) => worth({ sampler: node('KSamplerAdvanced', { steps: 50, ...ends }) }).steps;
  expect(part({ start_at_step: ['start', 0], end_at_step: 20 })).toBe(20);
  expect(part({ start_at_step: 20, end_at_step: '10000' })).toBe(30);
  expect(part({ start_at_step: 49, sigmas: 'none' })).toBe(1);
});

test('sizes that a picture is scaled to count, those that are hints do not', () => {
  const hints = {
    words: node('CLIPTextEncodeSDXL', { width: 2_048, height: 2_048 }),
    shift: node('ModelSamplingFlux', { width: 2_048, height: 2_048 }),
  };
  const small = { ...hints, ...sampling('small', { width: 64, height: 64 }, 1) };
  expect(worth(small).pixels).toBe(64 * 64);
  const scaled = { ...small, scale: node('ImageScaleToTotalPixels', { megapixels: 2 }) };
  expect(worth(scaled).pixels).toBe(2 * 1_024 ** 2 + 64 * 64);
});

test('a size that is only said to a scheduler or a part of the picture is no second picture', () => {
  const size = { width: 1_536, height: 1_536 };
  const graph = {
    latent: node('EmptyFlux2LatentImage', { ...size, batch_size: 1 }),
    part: node('ConditioningSetArea', { ...size, x: 0, y: 0, strength: 1 }),
    scheduler: node('Flux2Scheduler', { ...size, steps: 20 }),
    sampler: node('SamplerCustomAdvanced', { sigmas: ['scheduler', 0], latent_image: ['latent', 0] }),
  };
  expect(worth(graph)).toMatchObject({ pictures: 1, pixels: 1_536 ** 2, steps: 20 });
});

test('every node that makes a picture counts, in each picture of its batch', () => {
  const empty = { width: 2_048, height: 2_048, batch_size: 4 };
  const many = Object.fromEntries(Array.from({ length: 198 }, (_, id) => [id, node('EmptyImage', empty)]));
  expect(worth(many)).toMatchObject({ pictures: 792, pixels: 792 * 2_048 ** 2 });
  const scaled = {
    ...sampling('batch', { width: 512, height: 512, batch_size: 3 }, 20),
    scale: node('LatentUpscale', { samples: ['batch', 0], width: 1_024, height: 1_024 }),
    again: node('KSampler', { steps: 10, latent_image: ['scale', 0] }),
  };
  expect(worth(scaled)).toMatchObject({ pictures: 1, pixels: 3 * (512 ** 2 + 1_024 ** 2), steps: 30 });
});

test('a batch that is repeated counts every picture of it', () => {
  const repeated = {
    ...sampling('batch', { width: 512, height: 512, batch_size: 2 }, 20),
    repeat: node('RepeatLatentBatch', { samples: ['batch', 0], amount: 3, batch_size: 1 }),
    again: node('RepeatImageBatch', { image: ['repeat', 0], amount: 2 }),
  };
  expect(pixelsOf(repeated)).toEqual({ drawn: (2 + 6 + 12) * 512 ** 2, kept: (2 + 2 + 6 + 12) * 512 ** 2 });
});

test('numbers count as the whole ones that ComfyUI cuts them to', () => {
  const graph = sampling('cut', { width: 100.9, height: 64.9, batch_size: 1.9 }, 20.9);
  const repeat = node('RepeatLatentBatch', { samples: ['cut', 0], amount: 3.9 });
  expect(worth(graph)).toMatchObject({ pixels: 100 * 64, steps: 20 });
  expect(worth({ ...graph, repeat }).pixels).toBe(4 * 100 * 64);
});

test('what a node ignores makes nothing smaller that it passes on', () => {
  const graph: Graph = sampling('batch', { width: 100, height: 100, batch_size: 2 }, 20);
  const decode = node('VAEDecode', { samples: ['batch', 0], width: 1, height: 1, batch_size: 1 });
  expect(pixelsOf({ ...graph, decode }).kept).toBe(3 * 20_000);
});

test('what nodes pass on is kept in each of them, and circles end', () => {
  const graph: Graph = sampling('batch', { width: 100, height: 100, batch_size: 2 }, 20);
  const after = {
    decode: node('VAEDecode', { samples: ['batch', 0], vae: ['model', 2] }),
    model: node('CheckpointLoaderSimple', { ckpt_name: 'a' }),
    one: node('ImageInvert', { image: ['other', 0] }),
    other: node('ImageBlend', { image1: ['one', 0], image2: ['decode', 0] }),
  };
  expect(pixelsOf({ ...graph, ...after })).toEqual({ drawn: 20_000, kept: 5 * 20_000 });
});

test('a graph that says neither is worth what its drawing says; nothing counts beyond its bounds', () => {
  expect(worth({ save: node('SaveImage', {}) })).toMatchObject({ pictures: 1, pixels: 128 * 96, steps: 4 });
  const huge = sampling('huge', { width: 1e300, height: 9_000, batch_size: -3 }, 1e9);
  expect(worth(huge)).toMatchObject({ pictures: 1, pixels: 2_048 ** 2, steps: 50 });
  const circle = {
    one: node('FlipSigmas', { sigmas: ['other', 0] }),
    other: node('FlipSigmas', { sigmas: ['one', 0] }),
    sampler: node('SamplerCustom', { sigmas: ['one', 0] }),
  };
  expect(worth(circle).steps).toBe(4);
});
