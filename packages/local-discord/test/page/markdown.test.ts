import { growsTooFast } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../../src/page/parsed-markdown.ts';

const types = (text: string) => parseMarkdown(text, 'extended').map(({ type }) => type);

test.each([
  '[words](https://example.com)',
  '[a [b] c](https://example.com/(d)e "title")',
  '[a](<https://example.com>)',
  "[a\\]b]( https://example.com 'title' )",
])('%s is a link', (text) => {
  expect(types(text)).toEqual(['link']);
});

test.each(['[a](b)', '[a](javascript:b)', '[a](https://example.com'])('%s is none', (text) => {
  expect(types(text)).not.toContain('link');
});

test.each([
  ['# Head', 'heading'],
  ['-# Small', 'subtext'],
])('%s is one on every line, also below a quote', (line, type) => {
  expect(types(line)).toEqual([type]);
  expect(types(`a\n${line}`)).toEqual(['text', 'br', type]);
  expect(types(`> a\n${line}`)).toEqual(['blockQuote', type]);
  expect(types(`# A\n${line}`)).toEqual(['heading', type]);
  expect(types(`a ${line}`)).not.toContain(type);
});

test('below a code block stands what follows it, and an empty line where there is one', () => {
  expect(types('```a```\nb')).toEqual(['codeBlock', 'text']);
  expect(types('```a```\n\nb')).toEqual(['codeBlock', 'br', 'text']);
  expect(types('```a```\n> b')).toEqual(['codeBlock', 'blockQuote']);
  expect(types('```a``` b\nc')).toEqual(['codeBlock', 'text', 'br', 'text']);
});

test.each(['[a](', '[](', '[a](https://a', '[a](https://(', '[a](https://a "', '[[a]'])(
  'what begins as a link and is none takes as long as it is: %s',
  (repeated) => {
    const parse = (times: number) => void parseMarkdown(repeated.repeat(times), 'extended');
    expect(growsTooFast(parse, 1_000)).toBe(false);
  },
);
