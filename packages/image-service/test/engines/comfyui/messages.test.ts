import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previewIn } from '../../../src/engines/comfyui/event-stream.ts';
import { readEvent } from '../../../src/engines/comfyui/events.ts';
import { createGraphProgress } from '../../../src/engines/comfyui/graph-progress.ts';
import { defaultGraph } from '../../../src/engines/comfyui/graphs/checkpoint.ts';
import { smallPreview } from '../../../src/engines/progress-throttle.ts';
import { drawingOf } from '../../support/drawings.ts';
import { previewFrame, textFrame } from '../../support/fake-comfyui/image.ts';

const framed = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer;
const JPEG = [0xff, 0xd8, 0xff];

test('the picture is found in preview frames of both kinds', async () => {
  const meta = { node_id: '3', prompt_id: 'x' };
  for (const frame of [await previewFrame(undefined), await previewFrame(meta)])
    expect([...(previewIn(framed(frame)) ?? [])].slice(0, 3)).toEqual(JPEG);
});

test('no picture is found in text, in half a frame, or in one that lies about its length', () => {
  expect(previewIn(framed(textFrame('3', 'words')))).toBeUndefined();
  for (const bytes of [[], [0, 0], [0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0, 4, 255, 255, 255, 255, 1]])
    expect(previewIn(framed(Uint8Array.from(bytes)))).toBeUndefined();
});

test('no bytes and no text of a socket are too odd to be read', async () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void previewIn(framed(bytes))));
  fc.assert(fc.property(fc.string(), (text) => void readEvent(text)));
  const types = fc.constantFrom('progress', 'progress_state', 'executing', 'execution_cached', 'status');
  fc.assert(
    fc.property(types, fc.jsonValue(), (type, data) => {
      const event = readEvent(JSON.stringify({ type, data }));
      if (event) createGraphProgress({ '1': { class_type: 'SaveImage', inputs: {} } }).update(event);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
      expect(await smallPreview(bytes)).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});

const graph = defaultGraph({ ...drawingOf({ steps: 15 }), prompt: 'a fox' }, 'x');
const event = (type: string, data: object) => {
  const read = readEvent(JSON.stringify({ type, data: { prompt_id: 'p', ...data } }));
  if (!read) throw new Error('a message that should be read');
  return read;
};
const executing = (node: string | null) => event('executing', { node });

test('a sampler weighs as much as it has steps', () => {
  const percent = createGraphProgress(graph);
  // 6 nodes and 15 steps: 21 in all.
  expect(percent.update(event('execution_cached', { nodes: ['checkpoint', 'positive', 'negative'] }))).toBe(
    14,
  );
  expect(percent.update(executing('latent'))).toBe(14);
  expect(percent.update(executing('sample'))).toBe(19);
  expect(percent.update(event('progress', { node: 'sample', value: 5, max: 15 }))).toBe(42);
  const nodes = {
    sample: { value: 15, max: 15, state: 'finished' },
    decode: { value: 0, max: 1, state: 'running' },
  };
  expect(percent.update(event('progress_state', { nodes }))).toBe(90);
  expect(percent.update(event('executed', { node: 'decode' }))).toBe(95);
  expect(percent.update(executing('save'))).toBe(95);
  expect(percent.update(executing(null))).toBe(99);
});

test('a node that nothing depends on counts for nothing', () => {
  const percent = createGraphProgress({ ...graph, stray: { class_type: 'KSampler', inputs: { steps: 50 } } });
  expect(percent.update(event('executed', { node: 'stray' }))).toBe(0);
  expect(percent.update(event('executed', { node: 'unheard-of' }))).toBe(0);
});

test('a percentage never falls and never reaches 100', () => {
  const node = fc.constantFrom(...Object.keys(graph), 'stranger');
  const number = fc.oneof(fc.integer({ min: -5, max: 60 }), fc.double());
  const progress = fc.record({ node, value: number, max: number });
  const happening = fc.oneof(
    progress.map((data) => ({ type: 'progress', data })),
    node.map((id) => ({ type: 'executing', data: { node: id } })),
    fc.array(node).map((nodes) => ({ type: 'execution_cached', data: { nodes } })),
  );
  fc.assert(
    fc.property(fc.array(happening), (happenings) => {
      const percent = createGraphProgress(graph);
      let before = 0;
      for (const { type, data } of happenings) {
        const read = readEvent(JSON.stringify({ type, data: { prompt_id: 'p', ...data } }));
        if (!read) continue;
        const reached = percent.update(read);
        expect(reached).toBeGreaterThanOrEqual(before);
        expect(reached).toBeLessThanOrEqual(99);
        before = reached;
      }
    }),
  );
});
