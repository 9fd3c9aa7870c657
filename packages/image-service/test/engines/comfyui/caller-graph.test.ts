import { type Graph, graph } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type GraphRules,
  graphRejection,
  prepareGraph,
  requiredModels,
} from '../../../src/engines/comfyui/caller-graph.ts';
import { planGraph } from '../../../src/engines/comfyui/graph-plan.ts';
import { NODE_CLASSES } from '../../../src/engines/comfyui/node-classes.ts';
import { DEFAULT_MODELS } from '../../../src/engines/comfyui/workflow-models.ts';
import { DrawingError } from '../../../src/engines/engine.ts';
import { noiseGraph } from '../../support/comfy-engine.ts';
import { drawingOf } from '../../support/drawings.ts';

const rules: GraphRules = { allowedNodes: new Set(NODE_CLASSES), allowedModels: undefined };
const withNode = (class_type: string, inputs: Record<string, unknown>): Graph => ({
  ...noiseGraph(),
  extra: { class_type, inputs },
});

test('a graph of harmless nodes may be run', () => {
  expect(graphRejection(noiseGraph(), rules)).toBeUndefined();
});

test.each<[string, Graph, string]>([
  ['an unknown class', withNode('PythonEval', {}), 'PythonEval (node extra) is of a class'],
  ['a class that reads files', withNode('LoadImage', { image: 'a.png' }), 'LoadImage'],
  [
    'a link to nowhere',
    withNode('ImageInvert', { image: ['nowhere', 0] }),
    'image is linked to a node that is not',
  ],
  [
    'a link to a property of all objects',
    withNode('ImageInvert', { image: ['constructor', 0] }),
    'not in the graph',
  ],
  ['a link without an output', withNode('ImageInvert', { image: ['1', 'x'] }), 'not in the graph'],
  ['a list in place of a value', withNode('ImageInvert', { image: [1, 2, 3] }), 'not in the graph'],
  [
    'a huge latent',
    withNode('EmptyLatentImage', { width: 16_384, height: 64 }),
    'width must be a number of at least 1 and at most 2048',
  ],
  ['endless steps', withNode('KSampler', { steps: 10_000 }), 'at most 50'],
  [
    'endless steps of a scheduler that is told a size',
    withNode('Flux2Scheduler', { steps: 10_000 }),
    'at most 50',
  ],
  ['a linked number of steps', withNode('KSampler', { steps: ['1', 0] }), 'steps must be a number'],
  ['a denoise that asks for a billion sigmas', withNode('KSampler', { denoise: 1e-9 }), 'at least 0.01'],
  ['a denoise below 0', withNode('BasicScheduler', { denoise: -1 }), 'denoise must be 0 or a number'],
  ['a linked denoise', withNode('BasicScheduler', { denoise: ['1', 0] }), 'denoise must be 0 or a number'],
  [
    'layers, each of which is as much as a picture',
    withNode('EmptyQwenImageLayeredLatentImage', { width: 2_048, height: 2_048, layers: 16_384 }),
    'EmptyQwenImageLayeredLatentImage (node extra) is of a class',
  ],
  [
    'a size of 0, which follows the other one',
    withNode('ImageScale', { width: 0, height: 2_048 }),
    'at least 1',
  ],
  [
    'a size that ComfyUI cuts to 0',
    withNode('LatentUpscale', { width: 2_048, height: 0.4 }),
    'height must be a number of at least 1 and at most 2048',
  ],
  ['a step that ComfyUI cuts to none', withNode('KSampler', { steps: 0.9 }), 'steps must be a number of at'],
  [
    'hardly a pixel in all',
    withNode('ImageScaleToTotalPixels', { megapixels: 0.001 }),
    'megapixels must be a number of at least 0.01 and at most 4',
  ],
  [
    'a linked model name',
    withNode('LoraLoader', { lora_name: ['1', 0] }),
    'lora_name must be the name of a model',
  ],
  ['no picture', { '1': { class_type: 'EmptyImage', inputs: {} } }, 'saves no picture'],
])('a graph with %s is refused', (_name, refused, words) => {
  expect(graphRejection(refused, rules)).toContain(words);
});

test('a graph that fills the memory with pictures is refused, whether its nodes make them or pass them on', () => {
  const empty = { class_type: 'EmptyImage', inputs: { width: 2_048, height: 2_048, batch_size: 4 } };
  const graphOf = (link: (id: number) => typeof empty | { class_type: string; inputs: object }) => ({
    0: empty,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, id) => [id + 1, link(id)])),
    save: { class_type: 'SaveImage', inputs: { images: ['20', 0] } },
  });
  expect(
    graphRejection(
      graphOf(() => empty),
      rules,
    ),
  ).toContain('at most 256 million pixels');
  const passed = graphOf((id) => ({ class_type: 'ImageInvert', inputs: { image: [String(id), 0] } }));
  expect(graphRejection(passed, rules)).toContain('this one makes 369 million');
});

test('a node that repeats a batch, which an operator may add, says how often in a number within the bounds', () => {
  const withRepeats = { ...rules, allowedNodes: new Set([...NODE_CLASSES, 'RepeatImageBatch']) };
  const repeated = (amount: unknown) =>
    graphRejection(withNode('RepeatImageBatch', { image: ['1', 0], amount }), withRepeats);
  expect(repeated(4)).toBeUndefined();
  for (const amount of [64, ['1', 0]])
    expect(repeated(amount)).toContain('amount must be a number of at least 1 and at most 4');
});

test('a graph of too many steps in all is refused', () => {
  const sampler = { class_type: 'KSampler', inputs: { steps: 50 } };
  const samplers = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, sampler]));
  expect(graphRejection({ ...noiseGraph(), ...samplers }, rules)).toContain(
    '200 steps in all; this one samples 250',
  );
});

test('inputs that ComfyUI ignores hide no steps', () => {
  const sampler = { class_type: 'KSampler', inputs: { steps: 50, start_at_step: 49 } };
  const custom = { class_type: 'SamplerCustom', inputs: { steps: 1, sigmas: ['scheduler', 0] } };
  const scheduler = { class_type: 'BasicScheduler', inputs: { steps: 50 } };
  const graph = { ...noiseGraph(), scheduler, a: sampler, b: sampler, c: custom, d: custom };
  expect(graphRejection(graph, rules)).toBeUndefined();
  expect(graphRejection({ ...graph, e: custom }, rules)).toContain('this one samples 250');
});

test('a graph that doubles its conditioning again and again is refused', () => {
  const doubled = (times: number): Graph => ({
    ...noiseGraph(),
    c0: { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } },
    ...Object.fromEntries(
      Array.from({ length: times }, (_, at) => [
        `c${at + 1}`,
        {
          class_type: 'ConditioningCombine',
          inputs: { conditioning_1: [`c${at}`, 0], conditioning_2: [`c${at}`, 0] },
        },
      ]),
    ),
  });
  expect(graphRejection(doubled(6), rules)).toBeUndefined();
  expect(graphRejection(doubled(30), rules)).toContain(
    'join conditionings at most 6 times; this one joins them 30 times',
  );
});

test.each([0, 0.01, 0.5, 1])('a denoise of %s may be asked for', (denoise) => {
  expect(graphRejection(withNode('KSampler', { denoise }), rules)).toBeUndefined();
});

test.each([
  ['ImageScaleToTotalPixels', { megapixels: 0.5 }],
  ['ConditioningSetAreaPercentage', { width: 0.5, height: 0.25, x: 0, y: 0 }],
])('what %s counts in fractions may be one', (class_type, inputs) => {
  expect(graphRejection(withNode(class_type, inputs), rules)).toBeUndefined();
});

test('the size that SDXL is told as a hint may be larger', () => {
  const hint = withNode('CLIPTextEncodeSDXL', { width: 4_096, height: 4_096, text_g: '', text_l: '' });
  expect(graphRejection(hint, rules)).toBeUndefined();
});

test('the operator says which models may be used', () => {
  const own = { ...rules, allowedModels: new Set(['good.safetensors']) };
  const using = (ckpt_name: string) => withNode('CheckpointLoaderSimple', { ckpt_name });
  expect(graphRejection(using('good.safetensors'), own)).toBeUndefined();
  expect(graphRejection(using('other.safetensors'), own)).toContain('other.safetensors may not be used');
  const named = drawingOf({ model: 'other.safetensors' });
  expect(() => planGraph(named, DEFAULT_MODELS, own)).toThrow('other.safetensors may not be used');
});

test('the models of a graph are looked for in their folders', () => {
  const models = {
    ...withNode('CheckpointLoaderSimple', { ckpt_name: 'a' }),
    vision: { class_type: 'CLIPVisionLoader', inputs: { clip_name: 'b', constructor: 'no model' } },
    text: { class_type: 'DualCLIPLoader', inputs: { clip_name1: 'c', clip_name2: 'd', type: 'flux' } },
  };
  expect(requiredModels(models).map(({ folder, name }) => [folder, name])).toEqual([
    ['checkpoints', 'a'],
    ['clip_vision', 'b'],
    ['text_encoders', 'c'],
    ['text_encoders', 'd'],
  ]);
});

test('what is handed on of a graph are its nodes, and its pictures end where ours do', () => {
  const sent = {
    '1': {
      class_type: 'EmptyImage',
      inputs: { width: 64 },
      extra_data: 'x',
      _meta: { title: 'T', secret: 1 },
    },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: '../../etc' } },
  };
  expect(prepareGraph(sent)).toEqual({
    '1': { class_type: 'EmptyImage', inputs: { width: 64 }, _meta: { title: 'T' } },
    '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  });
});

const anyInput = fc.oneof(
  fc.jsonValue(),
  fc.tuple(fc.string(), fc.integer()),
  fc.array(fc.string(), { maxLength: 3 }),
);
const anyGraph = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('1', '2', '__proto__', 'constructor', 'nodes')),
  fc.record(
    {
      class_type: fc.oneof(fc.constantFrom(...NODE_CLASSES), fc.string({ minLength: 1 })),
      inputs: fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('width', 'steps', 'ckpt_name', 'filename_prefix', '__proto__')),
        anyInput,
      ),
      _meta: fc.record({ title: fc.string() }),
    },
    { requiredKeys: ['class_type', 'inputs'] },
  ),
  { minKeys: 1, maxKeys: 8 },
);

test('whatever passes as a graph is drawn or refused in words', () => {
  fc.assert(
    fc.property(anyGraph, (sent) => {
      const read = graph.safeParse(JSON.parse(JSON.stringify(sent)));
      if (!read.success) return;
      try {
        const order = planGraph(drawingOf({ prompt: read.data }), DEFAULT_MODELS, rules);
        expect(graph.safeParse(order.graph([])).success).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(DrawingError);
      }
    }),
  );
});

test('a graph whose links make a circle is left to the server', () => {
  const circle: Graph = {
    ...noiseGraph(),
    '1': { class_type: 'ImageInvert', inputs: { image: ['2', 0] } },
  };
  expect(graphRejection(circle, rules)).toBeUndefined();
});
