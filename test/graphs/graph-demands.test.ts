import type { Graph } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { demandsOf } from '../../src/graphs/graph-demands.ts';

const LATENT = { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 768, batch_size: 1 } };
const AREA = 512 * 768;

const node = (class_type: string, inputs: Record<string, unknown>, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
});

/** The largest picture of a graph, in pixels, and the node that makes it. */
const largest = (nodes: Graph) => demandsOf(nodes).area;

test('what a graph demands is read from its numbers, through one link, and a size that is a hint does not count', () => {
  const demands = demandsOf({
    1: node('EmptyLatentImage', { width: ['2', 0], height: 512 }),
    2: node('PrimitiveInt', { value: 2_048 }),
    3: node('KSampler', { steps: 40, latent_image: ['1', 0] }, 'Draw'),
    4: node('CLIPTextEncodeSDXL', { width: 4_096, height: 4_096 }),
  });
  expect(demands).toEqual({
    area: { amount: 2_048 * 512, node: 'EmptyLatentImage' },
    steps: { amount: 40, node: 'Draw' },
    batch: { amount: 1, node: '' },
    unread: [],
  });
});

test.each<[string, Record<string, unknown>, number]>([
  ['LatentUpscaleBy', { samples: ['1', 0], scale_by: 2 }, 4],
  ['ImageScaleBy', { image: ['1', 0], scale_by: 1.5 }, 2.25],
  ['UltimateSDUpscale', { image: ['1', 0], upscale_by: ['8', 0], tile_width: 4_096 }, 9],
  ['ImageUpscaleWithModel', { image: ['1', 0], upscale_model: ['9', 0] }, 16],
])('%s makes pictures larger', (class_type, inputs, times) => {
  const area = largest({
    1: LATENT,
    2: node(class_type, inputs, 'Larger'),
    8: node('PrimitiveFloat', { value: 3 }),
    9: node('UpscaleModelLoader', { model_name: '4x-UltraSharp.pth' }),
  });
  expect(area).toEqual({ amount: AREA * times, node: 'Larger' });
});

test('factors multiply along the links, and a size that is said again counts anew', () => {
  const graph: Graph = {
    1: LATENT,
    2: node('LatentUpscaleBy', { samples: ['1', 0], scale_by: 2 }),
    3: node('KSampler', { latent_image: ['2', 0], steps: 4 }),
    4: node('LatentUpscaleBy', { samples: ['3', 0], scale_by: 2 }, 'Twice'),
  };
  expect(largest(graph)).toEqual({ amount: AREA * 16, node: 'Twice' });
  const stated = { ...graph, 2: node('LatentUpscale', { samples: ['1', 0], width: 256, height: 256 }) };
  expect(largest(stated)).toEqual({ amount: AREA, node: 'EmptyLatentImage' });
});

test('the picture that steers another one is not made larger with it', () => {
  const graph: Graph = {
    1: LATENT,
    2: node('ImageScale', { width: 1_024, height: 768 }),
    3: node('ControlNetApply', { image: ['2', 0] }),
    4: node('KSampler', { positive: ['3', 0], latent_image: ['1', 0], steps: 4 }),
    5: node('LatentUpscaleBy', { samples: ['4', 0], scale_by: 1.1 }),
  };
  expect(largest(graph)).toEqual({ amount: 1_024 * 768, node: 'ImageScale' });
});

test.each<[string, Graph, number]>([
  ['said', { 1: node('EmptyLatentImage', { width: 64, height: 64, batch_size: 8 }) }, 8],
  ['repeated', { 1: LATENT, 2: node('RepeatLatentBatch', { samples: ['1', 0], amount: 3 }) }, 3],
  ['joined', { 1: LATENT, 2: node('ImageBatch', { image1: ['1', 0], image2: ['1', 0] }) }, 2],
  [
    'joined and repeated',
    {
      1: node('EmptyLatentImage', { batch_size: 2 }),
      2: node('RepeatImageBatch', { image: ['1', 0], amount: 3 }),
      3: node('ImageBatch', { image1: ['2', 0], image2: ['1', 0] }),
    },
    8,
  ],
])('a batch that is %s counts its pictures', (_how, graph, pictures) => {
  expect(demandsOf(graph).batch.amount).toBe(pictures);
});

test.each<[string, Record<string, unknown>]>([
  ['steps', { steps: ['9', 0] }],
  ['batch_size', { batch_size: ['9', 0] }],
  ['scale_by', { scale_by: ['9', 0] }],
  ['upscale_model', { upscale_model: ['9', 0] }],
])('%s that comes from where it cannot be read is told', (input, inputs) => {
  const hidden = { 1: node('Odd', inputs), 9: node('Maths', {}) };
  expect(demandsOf(hidden).unread).toEqual([{ node: 'Odd', input }]);
});

test.each<[string, Record<string, unknown>, number]>([
  ['ImageScaleBy', { image: ['1', 0], scale_by: 8, upscale_factor: 0.1, width: 64, height: 64 }, 64],
  ['ImageUpscaleWithModel', { image: ['1', 0], upscale_model: ['9', 0], scale_by: 0.1 }, 16],
  ['ImageInvert', { image: ['1', 0], width: 64, height: 64 }, 1],
  ['ImageCompositeMasked', { destination: ['1', 0], source: ['1', 0], image: ['3', 0] }, 1],
  ['MaskToImage', { mask: ['1', 0], image: ['3', 0] }, 1],
])('a size in an input that %s does not have makes nothing smaller', (class_type, inputs, times) => {
  const area = largest({
    1: LATENT,
    2: node(class_type, inputs),
    3: node('EmptyImage', { width: 64, height: 64 }),
    4: node('LatentUpscaleBy', { samples: ['2', 0], scale_by: 2 }, 'Twice'),
    9: node('UpscaleModelLoader', { model_name: '4x-UltraSharp.pth' }),
  });
  expect(area).toEqual({ amount: AREA * times * 4, node: 'Twice' });
});

test('a size that is only said to a scheduler or a part of the picture makes no picture', () => {
  const said = { width: 4_096, height: 4_096 };
  expect(largest({ 1: node('Flux2Scheduler', said), 2: node('ConditioningSetArea', said) }).amount).toBe(0);
});

test('a number of pictures in an input that a class does not have takes none away', () => {
  const graph: Graph = {
    1: node('EmptyLatentImage', { batch_size: 1 }),
    2: node('RepeatLatentBatch', { samples: ['1', 0], amount: 8, batch_size: 1 }),
    3: node('RebatchLatents', { latents: ['2', 0], batch_size: 1 }),
    4: node('KSampler', { latent_image: ['3', 0], batch_size: 1 }),
    5: node('RepeatLatentBatch', { samples: ['4', 0], amount: 8 }, 'Again'),
  };
  expect(demandsOf(graph).batch).toEqual({ amount: 64, node: 'Again' });
});

test('a number of a node that computes it is told, whatever else stands in its inputs', () => {
  const graph = {
    1: node('EmptyLatentImage', { width: ['9', 0], height: 512, batch_size: ['9', 2] }),
    2: node('KSampler', { steps: ['9', 1], latent_image: ['1', 0] }),
    9: node('GetImageSize', { value: 1, width: 1, steps: 1, batch_size: 1 }),
  };
  expect(
    demandsOf(graph)
      .unread.map(({ input }) => input)
      .sort(),
  ).toEqual(['batch_size', 'steps', 'width']);
});

test.each([0, 0.4])('a side of %s, which follows the other one, is told', (width) => {
  const graph = { 1: LATENT, 2: node('LatentUpscale', { samples: ['1', 0], width, height: 8_192 }) };
  expect(demandsOf(graph).unread).toEqual([{ node: 'LatentUpscale', input: 'width' }]);
});

test('numbers count as the whole ones that ComfyUI cuts them to', () => {
  const cut = { width: 512.9, height: ['3', 0], batch_size: 2.9 };
  const graph: Graph = {
    1: node('EmptyLatentImage', cut),
    2: node('KSampler', { steps: 20.9, latent_image: ['1', 0] }),
    3: node('PrimitiveInt', { value: 64.9 }),
  };
  expect(demandsOf(graph)).toMatchObject({
    area: { amount: 512 * 64 },
    steps: { amount: 20 },
    batch: { amount: 2 },
    unread: [],
  });
  const upscaled = { ...graph, 4: node('LatentUpscale', { samples: ['1', 0], width: 0.9, height: 0.4 }) };
  expect(
    largest({ ...upscaled, 5: node('LatentUpscaleBy', { samples: ['4', 0], scale_by: 2 }) }).amount,
  ).toBe(4 * 512 * 64);
});

test('a circle of links ends', () => {
  const circle = { 1: node('A', { image: ['2', 0], scale_by: 2 }), 2: node('B', { image: ['1', 0] }) };
  expect(demandsOf(circle).area.amount).toBe(0);
});
