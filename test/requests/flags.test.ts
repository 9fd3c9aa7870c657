import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FlagOptions } from '../../src/requests/flag-values.ts';
import { escapeFlags, formatFlags, parseFlags } from '../../src/requests/flags.ts';

test('flags are read as people type them elsewhere, and the rest stays the prompt', () => {
  const typed =
    'a red fox --ar 3:2 --no text, hands --seed 7 --steps 30 --cfg 5.5 --w anime --n 4 --model xl.ckpt --private --spoiler';
  expect(parseFlags(typed)).toEqual({
    prompt: 'a red fox',
    options: {
      size: '3:2',
      negative_prompt: 'text, hands',
      seed: 7,
      steps: 30,
      cfg: 5.5,
      workflow: 'anime',
      count: 4,
      model: 'xl.ckpt',
      private: true,
      spoiler: true,
    },
    unknown: [],
  });
});

test.each([
  ['a fox —ar 3:2', 'a fox', { size: '3:2' }],
  ['a fox –no “text, hands” in the snow', 'a fox', { negative_prompt: '“text, hands” in the snow' }],
  [
    'a fox –no “text, hands” --seed 7 in the snow',
    'a fox in the snow',
    { negative_prompt: 'text, hands', seed: 7 },
  ],
  ['a fox --model “my model.safetensors”', 'a fox', { model: 'my model.safetensors' }],
  ['a fox --size large portrait in the snow', 'a fox in the snow', { size: 'large portrait' }],
  ['--aspect=16:9 a fox', 'a fox', { size: '16:9' }],
  ['a fox --w 640 --h 480', 'a fox', { size: '640x480' }],
  ['a fox --niji 6', 'a fox', { workflow: 'anime' }],
  ['a fox --repeat 3, --seed random', 'a fox', { count: 3, seed: -1 }],
  ['a fox --cfg 5,5 --public', 'a fox', { cfg: 5.5, private: false }],
  ['a fox --stealth at night', 'a fox at night', { private: true }],
  ['a fox --no text --no hands', 'a fox', { negative_prompt: 'text, hands' }],
  ['a fox —red and quick— runs', 'a fox —red and quick— runs', {}],
  ['two - three -- four', 'two - three -- four', {}],
  ['a fox \\--no kidding', 'a fox --no kidding', {}],
  ['a  fox\nin two lines', 'a  fox\nin two lines', {}],
])('%j is %j with %j', (typed, prompt, options) => {
  expect(parseFlags(typed)).toEqual({ prompt, options, unknown: [] });
});

test.each([
  ['a fox --sed 7', [{ flag: '--sed', why: 'unknown', suggestion: '--seed' }]],
  ['a fox --chaos 50', [{ flag: '--chaos', why: 'elsewhere' }]],
  ['a fox —stylize 50', [{ flag: '—stylize', why: 'elsewhere' }]],
  ['a fox --sparkle', [{ flag: '--sparkle', why: 'unknown' }]],
  ['a fox --seed', [{ flag: '--seed', why: 'value', option: 'seed' }]],
  ['a fox --steps many', [{ flag: '--steps many', why: 'value', option: 'steps' }]],
  ['a fox --steps 2.5', [{ flag: '--steps 2.5', why: 'value', option: 'steps' }]],
  ['a fox —n=9', [{ flag: '—n=9', why: 'value', option: 'count' }]],
  ['a fox --ar --seed 7', [{ flag: '--ar', why: 'value', option: 'size' }]],
  ['a fox --width 512', [{ flag: '--width 512', why: 'value', option: 'size' }]],
  ['a fox --spoiler=maybe', [{ flag: '--spoiler=maybe', why: 'value', option: 'spoiler' }]],
  ['a fox --seed 7 --seed 8', [{ flag: '--seed 8', why: 'twice' }]],
])('in %j %j is named', (typed, unknown) => {
  expect(parseFlags(typed).unknown).toEqual(unknown);
});

test('what looks like a flag in quotation marks is none', () => {
  expect(parseFlags('a fox --model "my --seed 7 model" --seed 8')).toEqual({
    prompt: 'a fox',
    options: { model: 'my --seed 7 model', seed: 8 },
    unknown: [],
  });
  expect(parseFlags(formatFlags({ size: ' --b' })).options).toEqual({ size: ' --b' });
  expect(parseFlags('a fox --no "text --seed 7').options).toEqual({ negative_prompt: '"text', seed: 7 });
});

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const text = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.stringMatching(/^[ab"“'\\\s—{}=,-]{1,8}$/),
);
const anyOptions = fc.record({
  size: optional(text),
  workflow: optional(text),
  steps: optional(fc.integer({ min: 1, max: 50 })),
  seed: optional(fc.maxSafeInteger().filter((seed) => seed >= -1)),
  cfg: optional(fc.double({ min: 0, max: 30, noNaN: true }).map((value) => value || 0)),
  model: optional(text),
  count: optional(fc.integer({ min: 1, max: 4 })),
  private: optional(fc.boolean()),
  spoiler: optional(fc.boolean()),
  negative_prompt: optional(text),
});
const said = (options: object): FlagOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

test('whatever options are written as flags are read as the same', () => {
  fc.assert(
    fc.property(anyOptions, (options) => {
      expect(parseFlags(formatFlags(options))).toEqual({ prompt: '', options: said(options), unknown: [] });
    }),
    { numRuns: 1_000 },
  );
});

const flagged = fc.array(
  fc.oneof(text, fc.constantFrom('--no', '--seed', '—ar', '3:2', '7', 'fox', '\\--x', '"', '--w', '--zz')),
);

test('whatever is typed is read, and of its words none is lost', () => {
  fc.assert(
    fc.property(flagged, (parts) => {
      const typed = parts.join(' ');
      const { prompt, options, unknown } = parseFlags(typed);
      const kept = [prompt, ...Object.values(options), ...unknown.map(({ flag }) => flag)].join(' ');
      for (const word of typed.match(/\bfox\b/g) ?? []) expect(kept).toContain(word);
      expect(kept.split('fox').length).toBeGreaterThanOrEqual(
        typed.split(' ').filter((one) => one === 'fox').length,
      );
    }),
    { numRuns: 1_000 },
  );
});

test('a prompt that is no longer to be read for flags stays as it is', () => {
  fc.assert(
    fc.property(flagged, (parts) => {
      const prompt = parts.join(' ');
      expect(parseFlags(escapeFlags(prompt))).toEqual({ prompt, options: {}, unknown: [] });
    }),
    { numRuns: 1_000 },
  );
});
