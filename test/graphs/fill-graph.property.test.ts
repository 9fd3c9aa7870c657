import type { Graph } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillGraph, hasSeed, ownSeed, placeholdersIn } from '../../src/graphs/fill-graph.ts';

const VALUES = { prompt: 'a fox %seed%', negative_prompt: '', seed: 7, width: 640, height: 480 };

const named = (nodes: Graph) => ({ nodes, uses: placeholdersIn(nodes) });
const sampler = (inputs: Record<string, unknown>): Graph => ({ 3: { class_type: 'KSampler', inputs } });
const filled = (inputs: Record<string, unknown>, seed = 7) =>
  fillGraph(named(sampler(inputs)), { ...VALUES, seed })[3]?.inputs;

/** Any inputs, without a placeholder and without a seed. */
const plainInputs = fc
  .dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'text')),
    fc.jsonValue({ maxDepth: 6 }),
  )
  .filter(
    (inputs) =>
      !/%(prompt|negative_prompt|seed|width|height)%|"(noise_)?seed":-?\d/.test(JSON.stringify(inputs)),
  );
const plainGraph = fc.dictionary(
  fc.string({ minLength: 1 }).filter((id) => id !== '__proto__'),
  fc.record({ class_type: fc.string({ minLength: 1 }), inputs: plainInputs }, { noNullPrototype: true }),
  { minKeys: 1, noNullPrototype: true },
);

test('a graph without placeholders and seeds stays what it was', () => {
  fc.assert(
    fc.property(plainGraph, (nodes) => {
      const before = JSON.stringify(nodes);
      expect(JSON.stringify(fillGraph(named(nodes), VALUES))).toBe(before);
      expect(JSON.stringify(nodes)).toBe(before);
      expect(placeholdersIn(nodes)).toEqual([]);
    }),
  );
});

test('no words of a prompt reach anything but the text that they are filled into', () => {
  fc.assert(
    fc.property(fc.string(), (prompt) => {
      const nodes = sampler({ text: 'x %prompt% y', whole: '%prompt%', other: 'x' });
      const inputs = fillGraph(named(nodes), { ...VALUES, prompt })[3]?.inputs;
      expect(inputs).toEqual({ text: `x ${prompt} y`, whole: prompt, other: 'x' });
    }),
  );
});

test('what a prompt says is not filled in again', () => {
  expect(filled({ text: '%prompt%, %width%x%height%' })).toEqual({ text: 'a fox %seed%, 640x480' });
});

test('numbers stay numbers where the placeholder is all there is, however deep', () => {
  expect(filled({ width: '%width%', nested: { sizes: ['%height%', '%negative_prompt%'] } })).toEqual({
    width: 640,
    nested: { sizes: [480, ''] },
  });
});

test('the seed goes to its placeholder, else to every input that is a plain seed', () => {
  expect(filled({ seed: '%seed%', noise_seed: 5 })).toEqual({ seed: 7, noise_seed: 5 });
  expect(filled({ seed: 42, noise_seed: 5, steps: 20 })).toEqual({ seed: 7, noise_seed: 7, steps: 20 });
  expect(filled({ seed: ['9', 0] })).toEqual({ seed: ['9', 0] });
});

test('with its own seed a graph stays as it was given', () => {
  expect(ownSeed(sampler({ seed: 42, noise_seed: 5 }))).toBe(42);
  expect(filled({ seed: 42, noise_seed: 5 }, 42)).toEqual({ seed: 42, noise_seed: 5 });
});

test('a seed whose digits were lost is no seed of its own, and is replaced', () => {
  const nodes = sampler({ seed: 2 ** 64 });
  expect(ownSeed(nodes)).toBeUndefined();
  expect(hasSeed(named(nodes))).toBe(true);
  expect(filled({ seed: 2 ** 64 })).toEqual({ seed: 7 });
});

test('nothing is filled into a prototype', () => {
  const nodes: Graph = JSON.parse('{"1":{"class_type":"A","inputs":{"__proto__":{"polluted":"%prompt%"}}}}');
  fillGraph(named(nodes), VALUES);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('ten thousand nodes and a deep input are filled at once', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}"%prompt%"${']'.repeat(5_000)}`);
  const nodes = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, id) => [
      `${id}`,
      { class_type: 'Text', inputs: { text: '%prompt%', deep } },
    ]),
  );
  const all = Object.values(fillGraph(named(nodes), VALUES));
  expect(all.every(({ inputs }) => inputs.text === VALUES.prompt)).toBe(true);
});
