import { expect, it } from 'vitest';
import { COLOUR_WORDS } from '../src/lexicon/colours.ts';
import {
  ELEMENT_WORDS,
  FRAMING_WORDS,
  MOOD_WORDS,
  SEASON_WORDS,
  TIME_WORDS,
  WEATHER_WORDS,
} from '../src/lexicon/conditions.ts';
import { EMOJI } from '../src/lexicon/emoji.ts';
import { NUMBER_WORDS, PLURAL_WORDS } from '../src/lexicon/numbers.ts';
import { OCCUPATION_WORDS } from '../src/lexicon/occupations.ts';
import { PLACE_WORDS } from '../src/lexicon/places.ts';
import { SUBJECT_WORDS } from '../src/lexicon/subjects.ts';
import { FEATURE_WORDS, HAIR_WORDS, TRAIT_WORDS } from '../src/lexicon/traits.ts';
import { read } from '../src/prompt-reading.ts';
import { normalise } from '../src/words.ts';

const words = [
  SUBJECT_WORDS,
  OCCUPATION_WORDS,
  PLACE_WORDS,
  TIME_WORDS,
  WEATHER_WORDS,
  SEASON_WORDS,
  ELEMENT_WORDS,
  MOOD_WORDS,
  FRAMING_WORDS,
  COLOUR_WORDS,
  NUMBER_WORDS,
  FEATURE_WORDS,
  HAIR_WORDS,
].flatMap((table) => Object.values(table).flatMap((row) => row.split(' ')));

it('holds several hundred words, each once', () => {
  const twice = words.filter((word, index) => words.indexOf(word) !== index);
  expect(twice).toEqual([]);
  expect(words.length).toBeGreaterThan(400);
});

it('writes each word as a reader finds it: one word, lower case, composed', () => {
  for (const word of words) {
    expect(word).toBe(normalise(word));
    expect(read(word).unknown).toEqual([]);
  }
});

it('knows each trait by its words, and each irregular plural as a plural', () => {
  for (const [trait, row] of Object.entries(TRAIT_WORDS))
    for (const word of row.split(' '))
      expect(read(word)).toMatchObject({ unknown: [], traits: expect.arrayContaining([trait]) });
  for (const word of PLURAL_WORDS.split(' '))
    expect([word, ...Object.values(read(word).counts)]).toEqual([word, 'many']);
});

it('reads each emoji as its word, in any skin', () => {
  for (const [word, row] of Object.entries(EMOJI)) {
    for (const sign of row.split(' ')) {
      expect(read(sign).unknown).toEqual([]);
      for (const list of ['subjects', 'places', 'elements', 'times', 'weathers'] as const)
        expect(read(sign)[list]).toEqual(expect.arrayContaining(read(word)[list]));
    }
  }
  expect(read('🧙🏽‍♀️').subjects).toEqual(['wizard']);
});

it('gives a colour to what it stands before', () => {
  expect(read('a woman in a red dress with green eyes')).toMatchObject({
    features: { clothes: 'red', eyes: 'green' },
    colours: [],
  });
});
