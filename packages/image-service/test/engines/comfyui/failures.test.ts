import type { Graph } from '@darkroom/image-api';
import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { GraphError } from '../../../src/engines/engine.ts';
import { comfyWorld, noiseGraph } from '../../support/comfy-engine.ts';
import { FAILING_NODE, OUT_OF_MEMORY } from '../../support/fake-comfyui/prompts.ts';
import type { Fault } from '../../support/fake-comfyui.ts';

const instead =
  (status: number, body: string | Buffer, type = 'application/json'): Fault =>
  ({ method, path }, response) => {
    if (path === '/prompt' && method !== 'POST') return false;
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };

test('a graph that the server refuses fails with the title of the node', async () => {
  const { comfy, draw } = await comfyWorld();
  const problem = {
    type: 'value_not_in_list',
    message: 'Value not in list',
    details: "mode: 'odd' not in ['even']",
  };
  const node_errors = { '3': { errors: [problem], dependent_outputs: ['3'], class_type: 'SaveImage' } };
  const error = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' };
  comfy.fault('/prompt', instead(400, JSON.stringify({ error, node_errors })));
  const failure = await failureOf(draw({ prompt: noiseGraph() }));
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain(
    "“Result” (PreviewImage, node 3): Value not in list: mode: 'odd' not in ['even']",
  );
});

test('a rejection without nodes fails with its own words', async () => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault(
    '/prompt',
    instead(400, JSON.stringify({ error: { message: 'Prompt has no outputs' }, node_errors: [] })),
  );
  expect(String(await failureOf(draw()))).toContain('Prompt has no outputs');
});

test('a graph of which only a part could run is taken back and fails', async () => {
  const { comfy, draw } = await comfyWorld({
    allowedNodes: [
      'CheckpointLoaderSimple',
      'CLIPLoader',
      'CLIPTextEncode',
      'EmptyImage',
      'ImageAddNoise',
      'SaveImage',
    ],
  });
  comfy.fault('/models/text_encoders', instead(404, ''));
  const prompt: Graph = {
    ...noiseGraph(),
    '4': { class_type: 'CLIPLoader', inputs: { clip_name: 'nowhere' }, _meta: { title: 'My CLIP' } },
    '5': { class_type: 'CLIPTextEncode', inputs: { clip: ['4', 0] } },
    '6': { class_type: 'SaveImage', inputs: { images: ['5', 0], filename_prefix: 'other' } },
  };
  comfy.prompts.hold();
  const failure = await failureOf(draw({ prompt }));
  expect(failure).toBeInstanceOf(GraphError);
  expect(String(failure)).toContain('“My CLIP” (CLIPLoader, node 4): Value not in list');
  expect(comfy.submitted).toHaveLength(1);
  await comfy.until(() => !comfy.prompts.running, 'the end of what was queued');
});

test('a node that fails is named, without the paths of the server', async () => {
  const { draw } = await comfyWorld({ allowedNodes: [FAILING_NODE, 'SaveImage'] });
  const prompt: Graph = {
    a: { class_type: FAILING_NODE, inputs: {} },
    b: { class_type: 'SaveImage', inputs: { images: ['a', 0] } },
  };
  const failure = await failureOf(draw({ prompt }));
  expect(failure).toBeInstanceOf(GraphError);
  expect(String(failure)).toContain(
    'FailingNode (node a) failed: mat1 and mat2 shapes cannot be multiplied.',
  );
  expect(String(failure)).not.toContain('/home');
});

test('a picture that does not fit into the memory of the GPU fails with just that', async () => {
  const { comfy, draw } = await comfyWorld();
  comfy.prompts.fail(OUT_OF_MEMORY);
  const failure = await failureOf(draw());
  expect(failure).toMatchObject({
    name: 'DrawingError',
    message: 'The image server has too little memory for a picture of this size.',
  });
  expect(failure).not.toBeInstanceOf(GraphError);
  expect(comfy.submitted).toHaveLength(1);
});

test.each<[string, Fault]>([
  ['a 500 in plain text', instead(500, '500 Internal Server Error', 'text/plain')],
  ['a page', instead(200, '<html>', 'text/html')],
  ['an answer without an id', instead(200, '{}')],
])('%s in answer to every prompt is an honest failure, after two attempts', async (_name, fault) => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault('/prompt', fault);
  expect(await failureOf(draw())).toMatchObject({ name: 'DrawingError' });
  expect(comfy.requests('/prompt').filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test.each<[string, string | Buffer]>([
  ['text', 'not a picture'],
  ['nothing', ''],
])('what was saved as a picture and is %s is an honest failure', async (_name, body) => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault('/view', instead(200, body, 'image/png'));
  const failure = await failureOf(draw());
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain('is not a picture');
});

test('a picture that breaks off is fetched from a second attempt', async () => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault(
    '/view',
    (_request, response) => {
      const [file = Buffer.alloc(0)] = comfy.prompts.files.values();
      response.writeHead(200).end(file.subarray(0, file.length - 40));
      return true;
    },
    1,
  );
  expect(await draw()).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});

test('a graph that ends without a picture fails', async () => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault('/api/jobs', (_request, response) => {
    if (comfy.submitted.length === 0) return false;
    response.end(JSON.stringify({ status: 'completed', outputs: {} }));
    return true;
  });
  expect(String(await failureOf(draw()))).toContain('saved no picture');
});

const picture = { filename: 'a.png', subfolder: '', type: 'output' };
test.each([
  ['no output', {}],
  ['a part of its output', { outputs: { '3': { images: [picture] } } }],
])('a job that failed fails, with no word of why and %s', async (_name, rest) => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault('/api/jobs', (_request, response) => {
    if (comfy.submitted.length === 0) return false;
    response.end(JSON.stringify({ status: 'failed', ...rest }));
    return true;
  });
  expect(String(await failureOf(draw()))).toContain('The image server failed: no reason was given.');
});

test('a graph that may not be run is never sent', async () => {
  const { comfy, draw } = await comfyWorld();
  const prompt: Graph = { '1': { class_type: 'ExecuteAnything', inputs: { code: 'rm' } } };
  const failure = await failureOf(draw({ prompt }));
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain('ExecuteAnything (node 1) is of a class that may not be used');
  expect(comfy.requests()).toEqual([]);
});
