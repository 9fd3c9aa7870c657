import { COLOUR_WORDS, type ColourName } from './lexicon/colours.ts';
import {
  ELEMENT_WORDS,
  type Element,
  FRAMING_WORDS,
  MOOD_WORDS,
  type Mood,
  SEASON_WORDS,
  type Season,
  TIME_WORDS,
  type Time,
  WEATHER_WORDS,
  type Weather,
} from './lexicon/conditions.ts';
import { PLACE_WORDS, type Place } from './lexicon/places.ts';
import { SUBJECT_WORDS, type SubjectKind } from './lexicon/subjects.ts';

/** What a text asks for, each list in the order of the text and without repetition. */
export interface Reading {
  subjects: SubjectKind[];
  /** The colour that stands right before a subject. */
  coats: Partial<Record<SubjectKind, ColourName>>;
  /** Colours that belong to no subject. */
  colours: ColourName[];
  places: Place[];
  times: Time[];
  weathers: Weather[];
  seasons: Season[];
  elements: Element[];
  moods: Mood[];
  framings: (keyof typeof FRAMING_WORDS)[];
  /** Words that the lexicon does not hold. */
  unknown: string[];
  /** What follows 'no', 'without' and their like. */
  refused: string[];
}

type Meaning =
  | { group: 'subjects'; name: SubjectKind }
  | { group: 'colours'; name: ColourName }
  | { group: 'places'; name: Place }
  | { group: 'times'; name: Time }
  | { group: 'weathers'; name: Weather }
  | { group: 'seasons'; name: Season }
  | { group: 'elements'; name: Element }
  | { group: 'moods'; name: Mood }
  | { group: 'framings'; name: keyof typeof FRAMING_WORDS };

const REFUSALS = new Set('no without not ohne kein keine keinen sans sin senza'.split(' '));
const FILLERS = new Set(
  'a an the in on at of over under and with to by for from near beside above into small big large tiny little very is are its his her der die das ein eine im am mit und unter über auf le la les un une dans avec et el los las en con y il lo sur'.split(
    ' ',
  ),
);
/** Han and kana are written without spaces, so their words are looked for inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

const LEXICON: ReadonlyMap<string, Meaning> = new Map([
  ...entries('subjects', SUBJECT_WORDS),
  ...entries('colours', COLOUR_WORDS),
  ...entries('places', PLACE_WORDS),
  ...entries('times', TIME_WORDS),
  ...entries('weathers', WEATHER_WORDS),
  ...entries('seasons', SEASON_WORDS),
  ...entries('elements', ELEMENT_WORDS),
  ...entries('moods', MOOD_WORDS),
  ...entries('framings', FRAMING_WORDS),
]);
const LONGEST_UNSPACED = 5;

function entries<G extends Meaning['group'], N extends string>(group: G, table: Record<N, string>) {
  // Object.entries forgets that the keys are the table's own names.
  const rows = Object.entries(table) as [N, string][];
  return rows.flatMap(([name, words]) =>
    words.split(' ').map((word): [string, Meaning] => [word, { group, name } as unknown as Meaning]),
  );
}

/** `text` so that two spellings of the same words are equal: NFKC, lower case, single spaces. */
export function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ');
}

function wordsOf(text: string): string[] {
  return (normalise(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? unspaced(run) : [run],
  );
}

function unspaced(run: string): string[] {
  const letters = [...run];
  const found: string[] = [];
  let rest = '';
  for (let at = 0; at < letters.length; ) {
    const word = Array.from({ length: LONGEST_UNSPACED }, (_, less) =>
      letters.slice(at, at + LONGEST_UNSPACED - less).join(''),
    ).find((candidate) => LEXICON.has(candidate));
    if (word) found.push(word);
    else rest += letters[at];
    at += word ? [...word].length : 1;
  }
  return rest ? [...found, rest] : found;
}

function meaningOf(word: string): Meaning | undefined {
  return LEXICON.get(word) ?? LEXICON.get(word.replace(/s$/u, '')) ?? LEXICON.get(word.replace(/es$/u, ''));
}

/** Reads what the lexicon knows out of any text. */
export function read(text: string): Reading {
  const found: Reading = {
    subjects: [],
    coats: {},
    colours: [],
    places: [],
    times: [],
    weathers: [],
    seasons: [],
    elements: [],
    moods: [],
    framings: [],
    unknown: [],
    refused: [],
  };
  let coat: ColourName | undefined;
  let refusing = false;
  for (const word of wordsOf(text)) {
    if (REFUSALS.has(word)) {
      refusing = true;
      continue;
    }
    const meaning = meaningOf(word);
    if (refusing && !FILLERS.has(word)) {
      found.refused.push(word);
      refusing = false;
      continue;
    }
    if (meaning?.group === 'subjects' && coat) {
      found.coats[meaning.name] = coat;
      found.colours.pop();
    }
    coat = meaning?.group === 'colours' ? meaning.name : undefined;
    if (!meaning) {
      if (!FILLERS.has(word)) found.unknown.push(word);
      continue;
    }
    // The two sides of a meaning belong together by construction.
    const list = found[meaning.group] as string[];
    if (meaning.group === 'colours' || !list.includes(meaning.name)) list.push(meaning.name);
  }
  return found;
}
