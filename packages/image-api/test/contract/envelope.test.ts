import { expect, test } from 'vitest';
import { readEnvelope } from '../../src/contract/envelope.ts';

test.each([
  ['text', { success: false, error: 'no credits' }, { code: undefined, message: 'no credits' }],
  [
    'a code and a message',
    { success: false, error: { code: 'a', message: 'b' } },
    { code: 'a', message: 'b' },
  ],
  [
    'a type and a message',
    { success: false, error: { type: 'a', message: 'b' } },
    { code: 'a', message: 'b' },
  ],
  [
    'a number as code',
    { success: false, error: { code: 7, message: 'b' } },
    { code: undefined, message: 'b' },
  ],
  ['a list', { success: false, error: [{ code: 'a', message: 'b' }] }, { code: 'a', message: 'b' }],
  ['a message at the top', { success: false, message: 'b' }, { code: undefined, message: 'b' }],
  ['nothing', { success: false }, { code: undefined, message: undefined }],
  ['nonsense', { success: false, error: 7 }, { code: undefined, message: undefined }],
  ['no as a number', { success: 0, error: 'b' }, { code: undefined, message: 'b' }],
  ['no as text', { success: 'False', error: 'b' }, { code: undefined, message: 'b' }],
  ['null as success', { success: null, data: null, error: 'b' }, { code: undefined, message: 'b' }],
  ['no success', { error: 'b' }, { code: undefined, message: 'b' }],
])('an error with %s is a failure', (_name, answer, error) => {
  expect(readEnvelope.parse(answer)).toMatchObject({ failed: true, error });
});

test.each([
  { success: true, data: {}, error: null },
  { success: true, data: null },
  { data: { id: '7' }, error: 'a warning' },
  { success: 1, data: {} },
  { success: 'true', data: {} },
  { success: 'ok', data: {} },
])('%j is not a failure', (answer) => {
  expect(readEnvelope.parse(answer).failed).toBe(false);
});

test.each([[[]], ['text'], [7], [null]])('%j is no envelope', (answer) => {
  expect(readEnvelope.safeParse(answer).success).toBe(false);
});
