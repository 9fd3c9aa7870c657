import type { ColourName } from './lexicon/colours.ts';
import type { Element, FRAMING_WORDS, Mood, Season, Time, Weather } from './lexicon/conditions.ts';
import { isPlural, meaningOf, traitsOf } from './lexicon/lexicon.ts';
import type { Place } from './lexicon/places.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Feature, Trait } from './lexicon/traits.ts';
import { wordsOf } from './words.ts';

/** What a text asks for, each list in the order of the text and without repetition. */
export interface Reading {
  subjects: SubjectKind[];
  /** The colour that stands right before a subject. */
  coats: Partial<Record<SubjectKind, ColourName>>;
  /** How many of a subject: a number, or 'many' for a plural without one. */
  counts: Partial<Record<SubjectKind, number | 'many'>>;
  /** Whether the first subject sits on another. */
  riding: boolean;
  /** The colour that stands right before a feature. */
  features: Partial<Record<Feature, ColourName>>;
  traits: Trait[];
  /** Colours that belong to no subject and no feature. */
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

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const REFUSALS = words('no without not ohne kein keine keinen sans sin senza');
const ARTICLES = words('a an the der die das ein eine einen einem le la les un une el los las il lo');
const FILLERS = words(
  'in on at of over under and with to by for from near beside above into small big large tiny little very is are its his her im am mit und unter über auf dans avec et en con y sur',
);
const UPON = words('on auf sur sobre su');
const RIDING = words('riding rides ride rider horseback reitet reitend reiten reiter monta cavalca');

/** Reads what the lexicon knows out of any text. */
export function read(text: string): Reading {
  const found: Reading = {
    subjects: [],
    coats: {},
    counts: {},
    riding: false,
    features: {},
    traits: [],
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
  let count: number | undefined;
  let upon = false;
  let refusing = false;
  for (const word of wordsOf(text)) {
    if (REFUSALS.has(word)) {
      refusing = true;
      continue;
    }
    const filler = FILLERS.has(word) || ARTICLES.has(word);
    if (refusing && !filler) {
      found.refused.push(word);
      refusing = false;
      continue;
    }
    if (ARTICLES.has(word)) count = undefined;
    if (UPON.has(word)) upon = found.subjects.length > 0;
    if (RIDING.has(word)) found.riding = true;
    const traits = traitsOf(word);
    found.traits.push(...traits.filter((trait) => !found.traits.includes(trait)));
    const meaning = meaningOf(word);
    const owned = coat;
    coat = meaning?.group === 'colours' ? meaning.name : undefined;
    if (!meaning) {
      if (!filler && traits.length === 0 && !RIDING.has(word)) found.unknown.push(word);
      continue;
    }
    if (owned && (meaning.group === 'features' || meaning.group === 'subjects')) found.colours.pop();
    switch (meaning.group) {
      case 'numbers':
        count = Number(meaning.name);
        break;
      case 'hair':
        found.features.hair = meaning.name;
        break;
      case 'features':
        if (owned) found.features[meaning.name] = owned;
        break;
      case 'colours':
        found.colours.push(meaning.name);
        break;
      default: {
        // The two sides of a meaning belong together by construction.
        const list = found[meaning.group] as string[];
        if (!list.includes(meaning.name)) list.push(meaning.name);
      }
    }
    if (meaning.group === 'subjects') {
      if (owned) found.coats[meaning.name] = owned;
      const many = count ?? (isPlural(word) ? 'many' : undefined);
      if (many) found.counts[meaning.name] ??= many;
      if (upon) found.riding = true;
    }
    if (['subjects', 'places', 'elements', 'features'].includes(meaning.group)) {
      count = undefined;
      upon = false;
    }
  }
  return found;
}
