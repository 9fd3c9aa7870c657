import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBlockedWord } from '../../src/guilds/blocked-words.ts';

const inPrompt = (prompt: string, ...blocked: string[]) => findBlockedWord({ prompt }, blocked);

test.each([
  ['a red fox', 'fox'],
  ['a red FOX!', 'Fox'],
  ['a “fóx”', 'fox'],
  ['a f\u200bo\u00adx', 'fox'],
  ['a f\u043ex, with a Cyrillic o', 'fox'],
  ['a \uff46\uff4f\uff58 in wide letters', 'fox'],
  ['a \u202efox', 'fox'],
  ['a f o x', 'fox'],
  ['a f.o.x', 'fox'],
  ['two foxes', 'fox*'],
  ['an arctic-fox', '*fox'],
  ['xx foxes xx', '*ox*'],
  ['a fooox', 'f*x'],
  ['red, fox', 'red fox'],
  ['die Straße', 'strasse'],
  ['рыжая лиса', 'лис*'],
])('%j holds the blocked word %j', (prompt, word) => {
  expect(inPrompt(prompt, 'nothing', word)).toBe(word);
});

test.each([
  ['an outfoxed hunter', 'fox'],
  ['foxes', 'fox'],
  ['red and fox', 'red fox'],
  ['anything', '*'],
  ['anything', '***'],
  ['рот', 'pot'],
])('%j does not hold the blocked word %j', (prompt, word) => {
  expect(inPrompt(prompt, word)).toBeUndefined();
});

test('the negative prompt and every text of a graph are looked through as well', () => {
  expect(findBlockedWord({ prompt: 'a', negative_prompt: 'no fox' }, ['fox'])).toBe('fox');
  const graph = { 6: { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['4', 1] } } };
  expect(findBlockedWord({ prompt: graph }, ['fox'])).toBe('fox');
  expect(findBlockedWord({ prompt: graph }, ['wolf'])).toBeUndefined();
});

test('no word and no text takes long or breaks it', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), (prompt, blocked) => {
      inPrompt(prompt, ...blocked);
    }),
  );
  expect(inPrompt('a'.repeat(4_000), `${'*a'.repeat(28)}*b`)).toBeUndefined();
});

test('a text holds each of its own words', () => {
  const word = fc.stringMatching(/^[a-z]{2,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), (words, nth) => {
      const one = words[nth % words.length] ?? '';
      expect(inPrompt(words.join(' '), one)).toBe(one);
    }),
  );
});
