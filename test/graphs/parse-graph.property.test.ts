import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeGraph } from '../../src/graphs/describe-graph.ts';
import { fillGraph } from '../../src/graphs/fill-graph.ts';
import { demandsOf } from '../../src/graphs/graph-demands.ts';
import { whereJsonBreaks } from '../../src/graphs/json-position.ts';
import { GRAPH_BOUNDS, namedGraph } from '../../src/graphs/named-graph.ts';
import { type GraphProblem, parseGraph } from '../../src/graphs/parse-graph.ts';
import { graphLines } from '../../src/messages/graph-texts.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';

const parseText = (text: string) => parseGraph(new TextEncoder().encode(text));
const parseJson = (json: unknown) => parseText(JSON.stringify(json));
const VALUES = { prompt: 'a fox', negative_prompt: '', seed: 7, width: 640, height: 480 };

function problemOf(parsed: ReturnType<typeof parseGraph>): GraphProblem | undefined {
  return 'problem' in parsed ? parsed.problem : undefined;
}

const SMALL = {
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
  6: {
    class_type: 'CLIPTextEncode',
    inputs: { text: '%prompt%', clip: ['4', 1] },
    _meta: { title: 'Words' },
  },
  9: { class_type: 'Glow (custom)', inputs: { width: '%width%', steps: 20 }, is_changed: ['x'] },
};

test('a graph in the API format is read, alone and as the body of a request to ComfyUI', () => {
  for (const given of [
    SMALL,
    { prompt: SMALL, client_id: 'x', extra_data: { api_key_comfy_org: 'comfyui-1' } },
  ]) {
    const parsed = parseJson(given);
    expect(parsed).toMatchObject({ graph: { uses: ['prompt', 'width'] } });
    if ('problem' in parsed) throw new Error(parsed.problem.kind);
    expect(Object.keys(parsed.graph.nodes)).toEqual(['4', '6', '9']);
    expect(parsed.graph.nodes[9]).toEqual({ class_type: 'Glow (custom)', inputs: SMALL[9].inputs });
  }
});

test('nodes, models and classes that are not known are told', () => {
  expect(describeGraph(SMALL)).toEqual({
    nodes: 3,
    classes: [
      ['CheckpointLoaderSimple', 1],
      ['CLIPTextEncode', 1],
      ['Glow (custom)', 1],
    ],
    unknown: [['Glow (custom)', 1]],
    models: ['sd_xl_base_1.0.safetensors'],
  });
});

test('a list of the longest and strangest names leaves room for its price', () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, id) => [
      `${id}`,
      { class_type: `${'*'.repeat(500)}${id}`, inputs: { ckpt_name: `${'_'.repeat(500)}${id}` } },
    ]),
  );
  for (const texts of [en, de]) {
    expect(graphLines('|'.repeat(60), describeGraph(nodes), texts).join('\n').length).toBeLessThan(1_400);
  }
});

test('what the editor saves is told from what the API takes', () => {
  expect(
    problemOf(parseJson({ last_node_id: 9, nodes: [{ id: 1, type: 'KSampler' }], links: [] }))?.kind,
  ).toBe('editor');
});

test('JSON of something else is no graph', () => {
  for (const other of [
    [],
    {},
    7,
    null,
    { prompt: 'words' },
    { 1: { class_type: 'A' } },
    { 1: { inputs: {} } },
  ]) {
    expect(problemOf(parseJson(other))?.kind).toBe('no-graph');
  }
});

test('of broken JSON it is said where it breaks, and not what stands there', () => {
  expect(problemOf(parseText('{\n  "1": {\n    "class_type": A\n'))).toEqual({
    kind: 'broken',
    at: { line: 3, column: 19 },
  });
  expect(problemOf(parseText(''))).toEqual({ kind: 'broken', at: { line: 1, column: 1 } });
  expect(problemOf(parseText('{"a": 1,}'))).toEqual({ kind: 'broken', at: { line: 1, column: 9 } });
});

test('where JSON breaks is found at once in the largest file', () => {
  const most = GRAPH_BOUNDS.file;
  for (const text of [
    `{"a":"${'x'.repeat(most)}`,
    `{"a":"${'\\n'.repeat(most / 2)}`,
    '['.repeat(most),
    `"${'\\'.repeat(most)}`,
    `{"a":${'1'.repeat(most)}x`,
  ]) {
    expect(whereJsonBreaks(text)?.line).toBe(1);
  }
});

test('where JSON breaks is said of exactly the texts that are no JSON, and their beginning is one', () => {
  const cut = fc.tuple(fc.json(), fc.nat(200)).map(([json, at]) => json.slice(0, at));
  const changed = fc
    .tuple(fc.json(), fc.nat(200), fc.constantFrom('', ',', '"', '}', ']', ':', '\\', 'x', '0', '\n'))
    .map(([json, at, put]) => json.slice(0, at) + put + json.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(fc.json(), cut, changed, fc.string()), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(whereJsonBreaks(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2_000 },
  );
});

test('no file makes reading, describing or filling throw, and nothing reaches a prototype', () => {
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'nodes', 'prompt'),
  );
  const inputs = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.constant('%prompt%')));
  const node = fc.oneof(fc.record({ class_type: fc.string(), inputs }), fc.jsonValue());
  const file = fc.oneof(
    fc.dictionary(key, node).map((nodes) => new TextEncoder().encode(JSON.stringify(nodes))),
    fc.uint8Array(),
  );
  fc.assert(
    fc.property(file, (bytes) => {
      const parsed = parseGraph(bytes);
      if ('problem' in parsed) return;
      const { nodes } = parsed.graph;
      expect(namedGraph.parse(JSON.parse(JSON.stringify({ name: 'x', ...parsed.graph })))).toEqual({
        name: 'x',
        ...parsed.graph,
      });
      describeGraph(nodes);
      demandsOf(fillGraph(parsed.graph, VALUES));
    }),
    { numRuns: 500 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('ten thousand nodes, a deep input and too much text are refused, each at once', () => {
  const node = { class_type: 'A', inputs: {} };
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [id, node]));
  expect(problemOf(parseJson(many))).toEqual({ kind: 'too-large' });
  expect(
    problemOf(parseJson({ 1: { class_type: 'A', inputs: { list: Array(GRAPH_BOUNDS.values).fill(0) } } })),
  ).toEqual({ kind: 'too-large' });
  expect(
    problemOf(parseJson({ 1: { class_type: 'A', inputs: { text: 'x'.repeat(GRAPH_BOUNDS.characters) } } })),
  ).toEqual({ kind: 'too-large' });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(problemOf(parseText(`{"1":{"class_type":"A","inputs":{"x":${deep}}}}`))?.kind).toBe('no-graph');
});

test('bytes that are no text are told as such', () => {
  expect(problemOf(parseGraph(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff])))?.kind).toBe('no-text');
});

const K = (character: string) => character.repeat(48);

test.each([
  ['a key of the service', { text: `use sk-${K('a')}` }],
  ['a key in capitals', { text: `use SK-${K('A')}` }],
  ['a token of Hugging Face', { path: 'hf_abcdefghijklmnopqrstuvwxyz' }],
  ['an input for a key', { api_key: 'hunter2' }],
  ['an input for a password', { ftp_password: 'hunter2' }],
  ['an input for a token', { nested: [{ authToken: 'hunter2' }] }],
  ['a header', { headers: 'Authorization: Bearer abc123def456ghi789' }],
  ['a name and a password in an address', { url: 'https://ada:hunter2@example.com/x.png' }],
  ['a key in an address', { url: 'https://example.com/x.png?token=hunter2' }],
  ['a webhook', { url: 'https://discord.com/api/webhooks/123/abc-DEF' }],
])('%s is a secret, and is not told', (_what, inputs) => {
  const problem = problemOf(parseJson({ 1: { class_type: 'Upload', inputs, _meta: { title: 'Send it' } } }));
  expect(problem).toEqual({ kind: 'secret', place: { node: 'Send it', input: Object.keys(inputs)[0] } });
});

test.each([
  { text: 'a bearer of bad news, masterpiece, basic understanding' },
  { text: 'risk-averse fox, sk-8er boi, task-oriented' },
  { max_tokens: 512, token_normalization: 'none', tokenizer: 'clip' },
  { api_key: '', password: '%prompt%', token: ['1', 0] },
  { url: 'https://example.com/a@b.png?width=3' },
  { ckpt_name: 'sk_anime_v2.safetensors', lora_name: 'detail-tweaker-xl.safetensors' },
  { author: 'ada', key: 'C major', monkey: 'brown' },
])('words like any other are no secret: %j', (inputs) => {
  expect(problemOf(parseJson({ 1: { class_type: 'A', inputs } }))).toBeUndefined();
});
