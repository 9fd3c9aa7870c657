import type { Graph } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { explainNodeErrors } from '../../../src/engines/comfyui/explain.ts';
import { hasJobsApi } from '../../../src/engines/comfyui/jobs-api.ts';
import { finalState } from '../../../src/engines/comfyui/prompt-state.ts';
import { findModel } from '../../../src/engines/servers/required-model.ts';
import { sanitize } from '../../../src/engines/servers/sanitize.ts';

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
  expect(hasJobsApi(version)).toBe(jobs);
});

const image = { filename: 'a.png', subfolder: '', type: 'output' };
const preview = { filename: 'p.png', subfolder: '', type: 'temp' };
const said = (...events: string[]) => ({
  status_str: 'success',
  messages: events.map((event): [string, unknown] => [event, { prompt_id: 'x', exception_message: 'why' }]),
});

test('the last event of an execution counts', () => {
  const outputs = { '3': { images: [image] } };
  expect(finalState(outputs, said('execution_start', 'execution_success'))).toEqual({
    status: 'done',
    images: [image],
  });
  expect(finalState(outputs, said('execution_start', 'execution_interrupted'))).toEqual({
    status: 'interrupted',
  });
  expect(finalState(outputs, said('execution_start', 'execution_error'))).toMatchObject({
    status: 'failed',
    error: { exception_message: 'why' },
  });
  expect(finalState(outputs, { ...said(), status_str: 'error' })).toMatchObject({ status: 'failed' });
  expect(finalState(outputs, undefined)).toMatchObject({ status: 'done' });
});

test('a saved picture comes before a preview, and a preview before none', () => {
  expect(finalState({ '1': { images: [preview] }, '2': { images: [image] } }, undefined)).toMatchObject({
    images: [image],
  });
  expect(finalState({ '1': { images: [preview] } }, undefined)).toMatchObject({ images: [preview] });
  expect(finalState({ '1': { text: ['words'] } }, undefined)).toMatchObject({ images: [] });
});

test('a model is found by its name or by how its file name begins', () => {
  const listed = ['b/animagine-xl-4.0-opt.safetensors', 'a\\animagine-xl-4.0.safetensors', 'xl.safetensors'];
  const found = (name: string, exact = false) => findModel(listed, { folder: 'checkpoints', name, exact });
  expect(found('xl.safetensors')).toBe('xl.safetensors');
  expect(found('animagine-xl-4.0')).toBe('a\\animagine-xl-4.0.safetensors');
  expect(found('magine')).toBeUndefined();
  expect(found('animagine-xl-4.0', true)).toBeUndefined();
});

test('at most five nodes with errors are named, each in a sentence of limited length', () => {
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
  expect(sanitize(said)).toBe(shown);
});
