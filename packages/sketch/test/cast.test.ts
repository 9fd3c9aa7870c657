import { expect, it } from 'vitest';
import { SUBJECT_WORDS } from '../src/lexicon/subjects.ts';
import { difference, pixels, sceneOf } from './support/sketch.ts';

// In the look that draws outlines as well: it uses most of a drawing.
it.each(Object.keys(SUBJECT_WORDS))('shows a %s, and not where it is refused', async (kind) => {
  const word = SUBJECT_WORDS[kind as keyof typeof SUBJECT_WORDS].split(' ')[0] ?? ''; // the table's own key
  expect(sceneOf(word).actors[0]?.kind).toBe(kind);
  const request = { prompt: word, workflow: 'anime', width: 64, height: 64, steps: 9 } as const;
  expect(
    difference(await pixels(request), await pixels({ ...request, negativePrompt: word })),
  ).toBeGreaterThan(2);
});
