import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foreignText } from '../../src/messages/foreign-text.ts';

test.each([
  ['ada', 'ada'],
  ['  two\nlines ', 'two lines'],
  ['https://example.com/x', 'https\\://example\\.com/x'],
  ['@everyone <@200000000000000001>', '\\@everyone \\<\\@200000000000000001\\>'],
  ['[a](https://b.c)', '\\[a\\](https\\://b\\.c)'],
  ['**b** `c` ||d||', '\\*\\*b\\*\\* \\`c\\` \\|\\|d\\|\\|'],
  ['evil\u202Eoof\u200B', 'evil oof'],
  ['Z\u0301\u0301\u0301\u0301\u0301', 'Z\u0301\u0301'],
  ['\u200B\u200D', ''],
])('%j is shown as %j', (text, shown) => {
  expect(foreignText(text)).toBe(shown);
});

test('3,000 characters with links are cut to a name', () => {
  const shown = foreignText('https://example.com '.repeat(150));
  expect(shown.replaceAll('\\', '').length).toBeLessThanOrEqual(60);
});

test('whatever it is, nothing of it is live, hidden or long', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCodePoint, maxLength: 200 }),
      fc.integer({ min: 1, max: 80 }),
      (text, limit) => {
        const shown = foreignText(text, limit);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(shown).not.toMatch(/(?<!\\)(?:\\\\)*[*_~|`<>[\]@:]/);
        expect(shown.length).toBeLessThanOrEqual(2 * limit);
      },
    ),
  );
});
