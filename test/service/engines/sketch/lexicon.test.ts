import { expect, it } from 'vitest';
import { COLOUR_WORDS } from '../../../../src/service/engines/sketch/lexicon/colours.ts';
import {
  ELEMENT_WORDS,
  FRAMING_WORDS,
  MOOD_WORDS,
  SEASON_WORDS,
  TIME_WORDS,
  WEATHER_WORDS,
} from '../../../../src/service/engines/sketch/lexicon/conditions.ts';
import { PLACE_WORDS } from '../../../../src/service/engines/sketch/lexicon/places.ts';
import { SUBJECT_WORDS } from '../../../../src/service/engines/sketch/lexicon/subjects.ts';
import { normalise, read } from '../../../../src/service/engines/sketch/reading.ts';

const words = [
  SUBJECT_WORDS,
  PLACE_WORDS,
  TIME_WORDS,
  WEATHER_WORDS,
  SEASON_WORDS,
  ELEMENT_WORDS,
  MOOD_WORDS,
  FRAMING_WORDS,
  COLOUR_WORDS,
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
