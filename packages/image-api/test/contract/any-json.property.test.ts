import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEnvelope, readError } from '../../src/contract/envelope.ts';
import * as OPERATIONS from '../../src/contract/operations.ts';

const readers = Object.entries(OPERATIONS).map(([name, { answer }]) => [name, answer.read] as const);

test.each([...readers, ['the envelope', readEnvelope] as const])(
  'the answer of %s is read without an error, whatever JSON it is',
  (_name, reader) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof reader.safeParse(value).success).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  },
);

test('readError never throws, and what it finds is text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { code, message } = readError(value);
      expect([typeof code, typeof message].every((type) => type === 'string' || type === 'undefined')).toBe(
        true,
      );
    }),
  );
});
