import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/contract/limits.ts';
import { submission, submit } from '../../src/contract/submission.ts';

test.each([
  ['a width above 2048', { prompt: 'x', width: 2049 }],
  ['a height below 64', { prompt: 'x', height: 63 }],
  ['51 steps', { prompt: 'x', steps: 51 }],
  ['no steps', { prompt: 'x', steps: 0 }],
  ['a broken number of steps', { prompt: 'x', steps: 20.5 }],
  ['a number as text', { prompt: 'x', width: '512' }],
  ['a seed below -1', { prompt: 'x', seed: -2 }],
  ['what is no name of a workflow', { prompt: 'x', workflow: 'SD XL' }],
  ['an unknown field', { prompt: 'x', sampler: 'euler' }],
  ['an empty prompt', { prompt: '  ' }],
  ['no prompt', {}],
  ['an empty graph', { prompt: {} }],
  ['a node without a class', { prompt: { 1: { inputs: {} } } }],
  ['null for a field', { prompt: 'x', seed: null }],
])('%s is not sent', (_name, body) => {
  expect(submission.safeParse(body).success).toBe(false);
});

test('what passes holds integers as integers within the limits', () => {
  const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined });
  const body = fc.record(
    {
      prompt: fc.string(),
      width: maybe(fc.oneof(fc.integer(), fc.double())),
      steps: maybe(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.double())),
      seed: maybe(fc.oneof(fc.integer(), fc.double(), fc.bigInt())),
    },
    { requiredKeys: ['prompt'] },
  );
  fc.assert(
    fc.property(body, (value) => {
      const { data } = submission.safeParse(value);
      for (const name of ['width', 'steps', 'seed'] as const) {
        const number = data?.[name];
        if (number === undefined) continue;
        expect(Number.isSafeInteger(number)).toBe(true);
        expect(number).toBeGreaterThanOrEqual(LIMITS[name].min);
        expect(number).toBeLessThanOrEqual(LIMITS[name].max);
      }
    }),
  );
});

test('a numeric id is read as text, and what cannot be an id is not', () => {
  expect(submit.answer.read.parse({ id: 42, cost: '1.5' })).toMatchObject({ taskId: '42', cost: 1.5 });
  for (const id of [undefined, null, '', '  ', -1, 1.5, 2 ** 60, {}]) {
    expect(submit.answer.read.safeParse({ id }).success).toBe(false);
  }
});
