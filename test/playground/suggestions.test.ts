import { readFile } from 'node:fs/promises';
import { createSketcher } from '@darkroom/sketch';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { hostWords } from '../../src/playground/host-words.ts';
import { parseFlags } from '../../src/requests/flags.ts';
import { MAX_PICTURES } from '../../src/requests/imagine-options.ts';
import { expandPermutations } from '../../src/requests/permutations.ts';

/** What the README shows to type: behind `npm run demo`, and in lines of code that begin as a prompt does. */
async function readmePrompts(): Promise<string[]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  return [...readme.matchAll(/npm run demo -- "([^"]+)"|`(an? [^`]+)`/g)].map(
    ([, demo, typed]) => demo ?? typed ?? '',
  );
}

const pagePrompts = ['en', 'de'].flatMap((locale) =>
  hostWords(locale)
    .examples.filter((line) => line.startsWith('/imagine '))
    .map((line) => line.replace(/^\/imagine prompt:/, '')),
);

test.each([
  ['the page', async () => pagePrompts],
  ['/help', async () => [...en.help.examples, ...de.help.examples]],
  ['the README', readmePrompts],
])('nothing that %s suggests is said to be missing in its sketch', async (_, prompts) => {
  const sketcher = createSketcher({ workers: 1 });
  onTestFinished(sketcher.close);
  const lines = await prompts();
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    const { prompt, options } = parseFlags(line);
    for (const words of expandPermutations(prompt, MAX_PICTURES).prompts) {
      for (let seed = 1; seed <= (options.count ?? 1); seed++) {
        const { notDrawn } = await sketcher.paint(
          {
            prompt: words,
            negativePrompt: options.negative_prompt ?? '',
            workflow: options.workflow === 'anime' ? 'anime' : 'default',
            width: 64,
            height: 64,
            steps: 4,
            seed,
            cfg: 7,
          },
          { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS), onProgress: () => undefined },
        );
        expect({ words, notDrawn }).toEqual({ words, notDrawn: [] });
      }
    }
  }
});
