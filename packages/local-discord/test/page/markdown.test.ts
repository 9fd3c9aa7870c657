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

test.each(['[a](', '[](', '[a](https://a', '[a](https://(', '[a](https://a "', '[[a]'])(
  'what begins as a link and is none takes as long as it is: %s',
  (repeated) => {
    const parse = (times: number) => void parseMarkdown(repeated.repeat(times), 'extended');
    expect(growsTooFast(parse, 1_000)).toBe(false);
  },
);
