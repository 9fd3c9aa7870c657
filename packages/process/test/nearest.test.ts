import { expect, test } from 'vitest';
import { nearest } from '../src/index.ts';

const KNOWN = ['seed', 'steps', 'negative', 'workflow'];

test.each([
  ['sed', 'seed'],
  ['seeed', 'seed'],
  ['sead', 'seed'],
  ['esed', 'seed'],
  ['negtaive', 'negative'],
  ['workfolwe', 'workflow'],
  ['seedling', undefined],
  ['sx', undefined],
  ['x'.repeat(100_000), undefined],
])('of %j the known word may be meant that is a letter off, or two of a long one', (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test('the one that is least off is meant', () => {
  expect(nearest('portrat', ['porting', 'portrait', 'portray'])).toBe('portrait');
});
