import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withFigures } from '../bench/page.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test.each(['README.md', 'docs/performance.md'])(
  'the figures of %s are those that the bench has written',
  async (path) => {
    const page = await read(path);
    const [now, before] = await Promise.all(['docs/bench.json', 'docs/bench-before.json'].map(read));
    expect(page).toBe(withFigures(page, JSON.parse(now ?? ''), JSON.parse(before ?? '')));
  },
);
