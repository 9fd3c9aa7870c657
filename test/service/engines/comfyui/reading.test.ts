import { expect, test } from 'vitest';
import type { Graph } from '../../../../src/contract/graph.ts';
import { excerpt } from '../../../../src/service/engines/comfyui/excerpt.ts';
import { findModel } from '../../../../src/service/engines/comfyui/models.ts';
import { explainNodeErrors } from '../../../../src/service/engines/comfyui/node-errors.ts';
import { readEnd } from '../../../../src/service/engines/comfyui/prompt-state.ts';
import { featuresOf } from '../../../../src/service/engines/comfyui/version.ts';

test.each([
  ['0.26.0', true],
  ['v0.26.1-3-gabc', true],
  ['0.38', true],
  ['1.0.0', true],
  ['0.25.9', false],
  ['0.3.64', false],
  ['unknown', false],
  [undefined, false],
])('version %s has jobs: %s', (version, jobs) => {
  expect(featuresOf(version)).toEqual({ jobs });
});

const image = { filename: 'a.png', subfolder: '', type: 'output' };
const preview = { filename: 'p.png', subfolder: '', type: 'temp' };
const said = (...events: string[]) => ({
  status_str: 'success',
  messages: events.map((event): [string, unknown] => [event, { prompt_id: 'x', exception_message: 'why' }]),
});

test('the last word of an execution counts', () => {
  const outputs = { '3': { images: [image] } };
  expect(readEnd(outputs, said('execution_start', 'execution_success'))).toEqual({
    at: 'done',
    images: [image],
  });
  expect(readEnd(outputs, said('execution_start', 'execution_interrupted'))).toEqual({ at: 'interrupted' });
  expect(readEnd(outputs, said('execution_start', 'execution_error'))).toMatchObject({
    at: 'failed',
    error: { exception_message: 'why' },
  });
  expect(readEnd(outputs, { ...said(), status_str: 'error' })).toMatchObject({ at: 'failed' });
  expect(readEnd(outputs, undefined)).toMatchObject({ at: 'done' });
});

test('a saved picture comes before a preview, and a preview before none', () => {
  expect(readEnd({ '1': { images: [preview] }, '2': { images: [image] } }, undefined)).toMatchObject({
    images: [image],
  });
  expect(readEnd({ '1': { images: [preview] } }, undefined)).toMatchObject({ images: [preview] });
  expect(readEnd({ '1': { text: ['words'] } }, undefined)).toMatchObject({ images: [] });
});

test('a model is found by its name, by how its file begins, and never by less', () => {
  const listed = ['b/animagine-xl-4.0-opt.safetensors', 'a\\animagine-xl-4.0.safetensors', 'xl.safetensors'];
  const found = (name: string, exact = false) => findModel(listed, { folder: 'checkpoints', name, exact });
  expect(found('xl.safetensors')).toBe('xl.safetensors');
  expect(found('animagine-xl-4.0')).toBe('a\\animagine-xl-4.0.safetensors');
  expect(found('magine')).toBeUndefined();
  expect(found('animagine-xl-4.0', true)).toBeUndefined();
});

test('at most five nodes are spoken of, each at bearable length', () => {
  const errors = [{ message: 'Value not in list', details: 'x'.repeat(5_000) }];
  const faulty = Object.fromEntries(Array.from({ length: 7 }, (_, id) => [`${id}`, { errors }]));
  const graph: Graph = { '0': { class_type: 'KSampler', inputs: {}, _meta: { title: 'Draw' } } };
  const sentences = explainNodeErrors(graph, faulty);
  expect(sentences).toHaveLength(6);
  expect(sentences[0]).toMatch(/^“Draw” \(KSampler, node 0\): Value not in list: x+…$/);
  expect(sentences[1]).toMatch(/^node 1: /);
  expect(sentences[5]).toBe('2 more nodes have errors');
  expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThan(350);
});

test.each([
  ['cannot open /home/gpu/models/a b/secret.safetensors', 'cannot open …'],
  ['cannot open C:\\Users\\gpu\\models\\x.ckpt', 'cannot open …'],
  ["'sdxl/a.safetensors' not in ['b']", "'sdxl/a.safetensors' not in ['b']"],
])('of “%s” remains “%s”', (said, shown) => {
  expect(excerpt(said)).toBe(shown);
});
