import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from '../../src/client/redaction.ts';
import { A_KEY } from '../support/polite-service.ts';

test('what was sent does not come back, whatever its form', () => {
  expect(redact('token "opaque-42" is wrong', ['opaque-42'], 100)).toBe('token "[secret]" is wrong');
  expect(redact(`another key: ${A_KEY}`, [], 100)).toBe('another key: sk-…cdef');
});

test('it is one line of limited length without control characters or half characters', () => {
  expect(redact('  a\r\n\tb\u0000c\u001b[31m ', [], 100)).toBe('a b c [31m');
  expect(redact('\u202eexe.\u2066gnp', [], 100)).toBe('exe. gnp');
  expect(redact('abc😀def', [], 5)).toBe('abc…');
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const line = redact(text, [], max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});

test('no secret survives at any place of a text of any length', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), fc.nat(3_000), (text, place) => {
      const line = redact(`${text.slice(0, place)}${A_KEY}${text.slice(place)}`, [A_KEY], 200);
      expect(line).not.toContain(A_KEY.slice(0, 20));
    }),
  );
});
