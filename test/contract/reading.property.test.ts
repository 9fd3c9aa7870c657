import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKey, readRevoked } from '../../src/contract/api-key.ts';
import { readBalance } from '../../src/contract/balance.ts';
import { readEnvelope, readProblem } from '../../src/contract/envelope.ts';
import { readQueued } from '../../src/contract/submission.ts';
import { readTask } from '../../src/contract/task.ts';

const readers = { readEnvelope, readQueued, readTask, readBalance, readKey, readRevoked };

test.each(Object.entries(readers))('%s never throws, whatever JSON it is given', (_name, reader) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof reader.safeParse(value).success).toBe('boolean');
    }),
    { numRuns: 300 },
  );
});

test('readProblem never throws, and what it finds is text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { code, message } = readProblem(value);
      expect([typeof code, typeof message].every((type) => type === 'string' || type === 'undefined')).toBe(
        true,
      );
    }),
  );
});
