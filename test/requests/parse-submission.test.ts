import { submission, WORKFLOWS } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { parseSubmission, type SubmissionOptions } from '../../src/requests/parse-submission.ts';

const nothing: SubmissionOptions = {
  prompt: 'a red fox',
  negative_prompt: undefined,
  size: undefined,
  workflow: undefined,
  steps: undefined,
  seed: undefined,
  cfg: undefined,
  model: undefined,
};
const read = (filled: Partial<SubmissionOptions>) => parseSubmission({ ...nothing, ...filled }, en);

function refusalOf(filled: Record<string, unknown>): string {
  try {
    // What is sent to a bot need not come from Discord's own window, so that any value may stand anywhere.
    read(filled as Partial<SubmissionOptions>);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('expected a refusal');
}

test('a prompt alone is submitted with the defaults that are ours to know', () => {
  expect(read({})).toEqual({ prompt: 'a red fox', workflow: 'default', width: 512, height: 512 });
});

test('everything that is filled in is submitted, and a size as two numbers', () => {
  const filled = {
    negative_prompt: 'blur',
    size: '1024x768',
    workflow: 'anime',
    steps: 30,
    seed: 0,
    cfg: 7.5,
    model: 'a.safetensors',
  } as const;
  const { size: _, ...fields } = filled;
  expect(read(filled)).toEqual({ prompt: 'a red fox', ...fields, width: 1_024, height: 768 });
});

test.each([
  [{ steps: 0 }, 'steps', '1', '50'],
  [{ steps: 51 }, 'steps', '1', '50'],
  [{ steps: 2.5 }, 'steps', '1', '50'],
  [{ seed: -2 }, 'seed', '-1', '9007199254740991'],
  [{ seed: 2 ** 53 }, 'seed', '-1', '9007199254740991'],
  [{ seed: 0.5 }, 'seed', '-1', '9007199254740991'],
  [{ cfg: -0.1, workflow: 'rr3' }, 'cfg', '0', '30'],
  [{ cfg: 30.1, workflow: 'rr3' }, 'cfg', '0', '30'],
  [{ cfg: Number.NaN, workflow: 'rr3' }, 'cfg', '0', '30'],
  [{ size: '63x512' }, 'size', '64', '2048'],
  [{ size: '512x2049' }, 'size', '64', '2048'],
  [{ size: 'enormous' }, 'size', '64', '2048'],
])('%j is refused by the name of the field and its range', (filled, field, min, max) => {
  const sentence = refusalOf(filled);
  expect(sentence).toContain(`\`${field}\``);
  expect(sentence).toContain(`${min} to ${max}`);
});

test('an unknown workflow is refused with those that are known', () => {
  const known = '`workflow` must be one of default, anime, z-image, rr3.';
  expect(refusalOf({ workflow: 'sdxl' })).toBe(`There is no \`sdxl\`. ${known}`);
  expect(refusalOf({ workflow: 'Anmie' })).toBe(`There is no \`Anmie\`. Did you mean \`anime\`? ${known}`);
  expect(refusalOf({ workflow: 7 })).toContain(known);
});

test('words that say nothing are refused by the name of their field', () => {
  expect(refusalOf({ prompt: ' \n' })).toContain('`prompt`');
  expect(refusalOf({ prompt: 7 })).toContain('`prompt`');
  expect(refusalOf({ model: 7 })).toContain('`model`');
});

/** A zero width space, a soft hyphen, an empty letter of Hangul, empty braille, a control, half of a fox. */
const UNSEEN = ['', ' \n', '\u200b', '\u00ad', '\u3164', '\u2800', '\u0000', '\ud83e', '\u200b \u200d\ufe0f'];

test.each(UNSEEN)('%j is no prompt, and leaves any other option out', (blanks) => {
  expect(refusalOf({ prompt: blanks })).toBe(en.refusal.prompt);
  expect(read({ negative_prompt: blanks, size: blanks, model: blanks })).toEqual(read({}));
});

test.each(['.', '🦊', '\u200b狐', '0'])('%j is a prompt', (prompt) => {
  expect(read({ prompt })).toMatchObject({ prompt });
});

test.each([
  ['cfg', 7, ['anime', 'rr3']],
  ['model', 'a.safetensors', ['default', 'anime']],
] as const)(
  '%s is taken where it has an effect, and refused elsewhere with where it has',
  (field, value, honoured) => {
    for (const workflow of WORKFLOWS) {
      if (honoured.some((name) => name === workflow)) {
        expect(read({ workflow, [field]: value })).toHaveProperty(field, value);
      } else {
        expect(refusalOf({ workflow, [field]: value })).toBe(en.refusal.noEffect(field, honoured));
      }
    }
  },
);

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const anyFilled = fc.record({
  prompt: fc.string(),
  negative_prompt: optional(fc.string()),
  size: optional(
    fc.oneof(
      fc.string(),
      fc.tuple(fc.integer({ max: 3_000 }), fc.nat(3_000)).map((sides) => sides.join('x')),
    ),
  ),
  workflow: optional(fc.constantFrom(...WORKFLOWS)),
  steps: optional(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.double())),
  seed: optional(fc.oneof(fc.maxSafeInteger(), fc.double())),
  cfg: optional(fc.oneof(fc.double({ min: 0, max: 30 }), fc.double())),
  model: optional(fc.string()),
});

test('whatever is filled in is refused in a sentence, or becomes a submission of the interface', () => {
  fc.assert(
    fc.property(anyFilled, (filled) => {
      try {
        const submitted = parseSubmission(filled, en);
        const sent = JSON.stringify(submitted);
        expect(JSON.stringify(submission.parse(JSON.parse(sent)))).toBe(sent);
        const { width, height, steps = 1, seed = 0 } = submitted;
        for (const whole of [width, height, steps, seed]) expect(Number.isSafeInteger(whole)).toBe(true);
        expect(Object.values(submitted)).not.toContain(undefined);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        expect(error.message).toMatch(/`(prompt|size|workflow|steps|seed|cfg|model)`/);
      }
    }),
    { numRuns: 500 },
  );
});
