import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapePermutations, expandPermutations } from '../../src/requests/permutations.ts';

test.each([
  ['a {red, blue} fox', ['a red fox', 'a blue fox']],
  ['{a, b} {c,d}', ['a c', 'a d', 'b c', 'b d']],
  ['a {red {big, small}, blue} fox', ['a red big fox', 'a red small fox', 'a blue fox']],
  ['a {red, red} fox', ['a red fox']],
  ['a {very, } red fox', ['a very red fox', 'a  red fox']],
  ['a {red} fox, {} and }{', ['a {red} fox, {} and }{']],
  ['a \\{red, blue\\} fox', ['a {red, blue} fox']],
  ['a {red\\, hot, blue} fox', ['a red, hot fox', 'a blue fox']],
  ['a \\\\{red, blue}', ['a \\red', 'a \\blue']],
  ['no braces, only commas \\, and \\slashes', ['no braces, only commas \\, and \\slashes']],
])('%j stands for %j', (prompt, prompts) => {
  expect(expandPermutations(prompt, 4)).toEqual({ total: prompts.length, prompts });
});

test('of more than are wanted only their number is said, however many there are', () => {
  expect(expandPermutations('{a, b, c} {d, e}', 4)).toEqual({ total: 6, prompts: [] });
  expect(expandPermutations('{a, b}'.repeat(600), 4)).toEqual({ total: 2 ** 600, prompts: [] });
});

const braced = fc.array(fc.constantFrom('{', '}', ',', '\\', 'a', 'b', ' ')).map((parts) => parts.join(''));

test('a prompt that stands for itself is drawn as it is', () => {
  fc.assert(
    fc.property(braced, (prompt) => {
      expect(expandPermutations(escapePermutations(prompt), 4)).toEqual({ total: 1, prompts: [prompt] });
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is typed stands for at least one prompt', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), braced), (prompt) => {
      const { total, prompts } = expandPermutations(prompt, 50);
      expect(total).toBeGreaterThanOrEqual(1);
      expect(prompts.length === total || total > 50).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
