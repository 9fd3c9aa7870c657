import { COLOUR_WORDS, type ColourName } from './colours.ts';
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
} from './conditions.ts';
import { NUMBER_WORDS, PLURAL_WORDS } from './numbers.ts';
import { OCCUPATION_WORDS } from './occupations.ts';
import { PLACE_WORDS, type Place } from './places.ts';
import { SUBJECT_WORDS, type SubjectKind } from './subjects.ts';
import { FEATURE_WORDS, type Feature, HAIR_WORDS, TRAIT_WORDS, type Trait } from './traits.ts';

export type Meaning =
  | { group: 'subjects'; name: SubjectKind }
  | { group: 'colours'; name: ColourName }
  | { group: 'places'; name: Place }
  | { group: 'times'; name: Time }
  | { group: 'weathers'; name: Weather }
  | { group: 'seasons'; name: Season }
  | { group: 'elements'; name: Element }
  | { group: 'moods'; name: Mood }
  | { group: 'framings'; name: keyof typeof FRAMING_WORDS }
  | { group: 'features'; name: Feature }
  | { group: 'hair'; name: keyof typeof HAIR_WORDS }
  | { group: 'numbers'; name: `${number}` };

const LEXICON: ReadonlyMap<string, Meaning> = new Map([
  ...entries('subjects', SUBJECT_WORDS),
  ...entries('subjects', { person: Object.values(OCCUPATION_WORDS).join(' ') }),
  ...entries('colours', COLOUR_WORDS),
  ...entries('places', PLACE_WORDS),
  ...entries('times', TIME_WORDS),
  ...entries('weathers', WEATHER_WORDS),
  ...entries('seasons', SEASON_WORDS),
  ...entries('elements', ELEMENT_WORDS),
  ...entries('moods', MOOD_WORDS),
  ...entries('framings', FRAMING_WORDS),
  ...entries('features', FEATURE_WORDS),
  ...entries('hair', HAIR_WORDS),
  ...entries('numbers', NUMBER_WORDS),
]);

const TRAITS = new Map<string, Trait[]>();
// Object.entries forgets that the keys are the table's own names.
for (const [trait, words] of [
  ...(Object.entries(TRAIT_WORDS) as [Trait, string][]),
  ['female', OCCUPATION_WORDS.female],
  ['male', OCCUPATION_WORDS.male],
] as const) {
  for (const word of words.split(' ')) TRAITS.set(word, [...(TRAITS.get(word) ?? []), trait]);
}

const { kin: _, ...occupations } = OCCUPATION_WORDS;
const OCCUPATIONS: ReadonlySet<string> = new Set(Object.values(occupations).join(' ').split(' '));
const COSTUMED: ReadonlySet<string> = new Set(OCCUPATION_WORDS.costumed.split(' '));

const PLURALS: ReadonlySet<string> = new Set(PLURAL_WORDS.split(' '));

function entries<G extends Meaning['group'], N extends string>(group: G, table: Record<N, string>) {
  const rows = Object.entries(table) as [N, string][]; // as above
  return rows.flatMap(([name, words]) =>
    words.split(' ').map((word): [string, Meaning] => [word, { group, name } as unknown as Meaning]),
  );
}

const singulars = (word: string) => [word.replace(/s$/u, ''), word.replace(/es$/u, '')];

export function meaningOf(word: string): Meaning | undefined {
  if (/^[1-9]\d{0,2}$/.test(word)) return { group: 'numbers', name: `${Number(word)}` };
  return [word, ...singulars(word)].map((form) => LEXICON.get(form)).find((meaning) => meaning !== undefined);
}

export function traitsOf(word: string): readonly Trait[] {
  return TRAITS.get(word) ?? [];
}

/** Whether a word stands for a person whose clothes are not drawn, by which one would know them. */
export const isCostumed = (word: string): boolean => COSTUMED.has(word);

/** Whether a word says what a person does: 'a robot barista' is no second person. */
export const isOccupation = (word: string): boolean => OCCUPATIONS.has(word);

/** Whether a word for a subject asks for more than one. */
export function isPlural(word: string): boolean {
  const name = meaningOf(word)?.name;
  return (
    PLURALS.has(word) || singulars(word).some((form) => form !== word && LEXICON.get(form)?.name === name)
  );
}
