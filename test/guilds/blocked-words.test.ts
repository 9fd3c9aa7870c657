import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileBlockedWords } from '../../src/guilds/blocked-words.ts';

const inPrompt = (prompt: string, ...blocked: string[]) => compileBlockedWords(blocked).findIn({ prompt });

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
  ['a \u041a\u0406\u0422\u0422\u0415\u039d in Cyrillic and Greek capitals', 'kitten'],
  ['\u0412\u041e\u041c\u0412, \u0391\u03a4\u039f\u039c', 'bomb'],
  ['a \u0396\u039f\u039c\u0392\u0399\u0395 in Greek capitals', 'zombie'],
  ['a f\u0585x, with an Armenian o', 'fox'],
  ['a k\u0131tten, without its dot', 'kitten'],
  ['a \u043ait\u0442en, half of it Cyrillic', 'kitten'],
  ['\u039b\u039f\u0393\u039f\u03a3', 'λόγος'],
  ['a fox', 'F\u041e\u0425'],
  ['a f\u00f8x, with a stroke', 'fox'],
  ['a \u049aITT\u0415N, with a Cyrillic hook', 'kitten'],
  ['a \u1d0b\u026a\u1d1b\u1d1b\u1d07\u0274 in small capitals', 'kitten'],
  ['a f\u0e50x, with a Thai zero', 'fox'],
  ['a \u{1f175}\u{1f17e}\u{1f187} in squares', 'fox'],
  ['a \u{1f1eb}\u{1f1f4}\u{1f1fd} in letters of flags', 'fox'],
  ['a \u{1f1e9}\u{1f1ea}fox behind a flag', 'fox'],
  [String.raw`{"text": "a \u0066ox"}`, 'fox'],
  [String.raw`{"text": "a\nfox"}`, 'fox'],
  [String.raw`"{\"text\": \"a \\u0066\\u006Fx\"}"`, 'fox'],
  [String.raw`a \u005cu0066ox`, 'fox'],
  [String.raw`a f\u00f3x`, 'fox'],
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
  ['a f0x', 'fox'],
  ['a red \u{1f1e9}\u{1f1ea}', 'de'],
  [String.raw`a \u0066oxglove`, 'fox'],
])('%j does not hold the blocked word %j', (prompt, word) => {
  expect(inPrompt(prompt, word)).toBeUndefined();
});

test('the negative prompt, the model and every text of a graph are looked through as well', () => {
  const fox = compileBlockedWords(['fox']);
  expect(fox.findIn({ prompt: 'a', negative_prompt: 'no fox' })).toBe('fox');
  expect(fox.findIn({ prompt: 'a', model: 'arctic-fox.safetensors' })).toBe('fox');
  const graph = { 6: { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['4', 1] } } };
  expect(fox.findIn({ prompt: graph })).toBe('fox');
  expect(compileBlockedWords(['wolf']).findIn({ prompt: graph })).toBeUndefined();
  expect(
    compileBlockedWords(['a fox a fox']).findIn({ prompt: { 1: graph[6], 2: graph[6] } }),
  ).toBeUndefined();
});

test('no word and no text takes long or breaks it', () => {
  const text = fc.string({ unit: anyCodePoint, maxLength: 300 });
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
