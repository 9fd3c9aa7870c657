import { ACTION_WORDS } from './lexicon/actions.ts';
import type { ColourName } from './lexicon/colours.ts';
import type { Element, FRAMING_WORDS, Mood, Season, Time, Weather } from './lexicon/conditions.ts';
import { isCostumed, isOccupation, isPlural, type Meaning, meaningOf, traitsOf } from './lexicon/lexicon.ts';
import type { Place } from './lexicon/places.ts';
import { STYLE_WORDS, type Style } from './lexicon/styles.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import type { Feature, Trait } from './lexicon/traits.ts';
import { peopleOf, type Saying } from './people-reading.ts';
import { mayNameThing, spellingOf } from './significance.ts';
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
  /** What is said of each of several people; empty where there is at most one. */
  people: Trait[][];
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
  /** Everything that a picture would have to show, known or not. */
  things: Thing[];
  /** What follows 'no', 'without' and their like. */
  refused: string[];
}

/** What a text says of the things that it names. */
export type Claim =
  | { group: 'actions'; name: string }
  | { group: 'styles'; name: Style | 'none' }
  | { group: 'counts'; name: number; of: SubjectKind | Element }
  /** How the first stands to the second. */
  | { group: 'relations'; name: Relation; of: SubjectKind; to: SubjectKind | Place };

type Relation = 'on' | 'over' | 'under' | 'in' | 'left' | 'right' | 'before' | 'behind' | 'beside';

/** Something that a text names, or says. */
export interface Thing {
  /** As it is written; of what the lexicon does not hold, up to three words. */
  name: string;
  /** Undefined: the lexicon does not hold it. */
  meaning: Meaning | Claim | undefined;
  /** A person whose clothes are not drawn, by which one would know them. */
  costumed: boolean;
  traits: readonly Trait[];
  /** 'A hamster', and not 'Ada'. */
  common: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const REFUSALS = words('no without not ohne kein keine keinen sans sin senza');
const ARTICLES = words(
  'a an the der die das den dem des ein eine einen einem einer eines le la les un une el los las il lo',
);
const FILLERS = words(
  'in on at of over under and with to by for from near beside above into small big large tiny little very is are its his her im am mit und unter über auf dans avec et en con y sur',
);
const RELATIONS: readonly [Relation, ReadonlySet<string>][] = [
  ['on', words('on auf sur sobre su')],
  ['over', words('over above über')],
  ['under', words('under below beneath unter')],
  ['in', words('in inside')],
  ['left', words('left_of links_von')],
  ['right', words('right_of rechts_von')],
  ['before', words('before front_of vor')],
  ['behind', words('behind hinter derrière')],
  ['beside', words('beside next_to neben')],
];
const relationOf = (word: string, next = '') =>
  RELATIONS.find(([, links]) => links.has(word) || links.has(`${word}_${next}`))?.[0];
const ANDS = words('and und et y e');
// Object.entries forgets that the keys are the table's own names.
const STYLES = new Map(
  (Object.entries(STYLE_WORDS) as [Style | 'none', string][]).flatMap(([style, row]) =>
    row.split(' ').map((word) => [word, style]),
  ),
);
const ACTIONS = words(ACTION_WORDS);
const RIDING = words('riding rides ride rider horseback reitet reitend reiten reiter monta cavalca');
/** Groups of words that stand between a colour and what has it. */
const SAID_OF_THINGS: ReadonlySet<Meaning['group']> = new Set<Meaning['group']>([
  'colours',
  'moods',
  'numbers',
]);
/** How many words of a thing without a meaning are one name. */
const LONGEST_NAME = 3;

/** Reads what the lexicon knows out of any text. */
export function read(text: string): Reading {
  const found: Reading = {
    subjects: [],
    coats: {},
    counts: {},
    riding: false,
    features: {},
    traits: [],
    people: [],
    colours: [],
    places: [],
    times: [],
    weathers: [],
    seasons: [],
    elements: [],
    moods: [],
    framings: [],
    unknown: [],
    things: [],
    refused: [],
  };
  const sayings: Saying[] = [];
  /** Colours before the thing that has them: 'black and white' of a cat. */
  let worn: Thing[] = [];
  const owned = new Set<Thing>();
  let count: { name: number; thing: Thing } | undefined;
  /** Since a word for how the subject before it stands to the next one. */
  let link: { name: Relation; of: SubjectKind; written: string[] } | undefined;
  let refusing = false;
  let common = false;
  let naming: string[] = [];
  let neighbour: Thing | undefined;
  const all = wordsOf(text);
  const spelling = spellingOf(all);
  for (const [index, one] of all.entries()) {
    const { word, written, joined } = one;
    const next = all[index + 1];
    if (!joined) {
      naming = [];
      link = undefined;
    }
    link?.written.push(written);
    const before = joined ? neighbour : undefined;
    neighbour = undefined;
    if (REFUSALS.has(word)) {
      refusing = true;
      continue;
    }
    const article = ARTICLES.has(word);
    const filler = FILLERS.has(word) || article;
    if (refusing && !filler) {
      found.refused.push(word);
      refusing = false;
      continue;
    }
    if (article) count = undefined;
    if (filler) common = article;
    const subject = found.subjects.at(-1);
    const relation = subject && relationOf(word, next?.word);
    if (relation && link) link.name = relation;
    else if (relation) link = { name: relation, of: subject, written: [written] };
    const and = ANDS.has(word);
    if (and) link = undefined;
    const foreign = spelling.foreign.has(word);
    const traits = foreign ? [] : traitsOf(word);
    found.traits.push(...traits.filter((trait) => !found.traits.includes(trait)));
    const meaning = foreign ? undefined : meaningOf(word);
    sayings.push({ word, filler, traits, meaning });
    const colours = worn;
    const last = worn.at(-1)?.meaning;
    const colour = last?.group === 'colours' ? last.name : undefined;
    // Through what else is said of a thing, to the thing: 'a blue vintage sports car'.
    if ((filler && !and) || (meaning && !SAID_OF_THINGS.has(meaning.group))) worn = [];
    const style = STYLES.get(word);
    if (style || RIDING.has(word) || ACTIONS.has(word)) {
      if (RIDING.has(word)) found.riding = true;
      const claim = style
        ? ({ group: 'styles', name: style } as const)
        : ({ group: 'actions', name: RIDING.has(word) ? 'riding' : word } as const);
      found.things.push(said(written, claim));
      naming = [];
      link = undefined;
      continue;
    }
    if (!meaning) {
      if (filler) {
        naming = [];
        continue;
      }
      if (traits.length === 0) found.unknown.push(word);
      if (traits.length > 0 || !mayNameThing(one, spelling)) naming = [];
      else if (naming.length > 0 && naming.length < LONGEST_NAME) {
        naming.push(written);
        const last = found.things.at(-1);
        if (last) last.name = naming.join(' ');
      } else naming = [written];
      if (naming.length === 1 || traits.length > 0)
        found.things.push({ name: written, meaning, costumed: false, traits, common });
      if (naming.length > 0) link = undefined;
      if (naming.length + traits.length > 0) for (const tint of worn) owned.add(tint);
      continue;
    }
    naming = [];
    const thing: Thing = { name: written, meaning, costumed: isCostumed(word), traits, common };
    found.things.push(thing);
    neighbour = thing;
    if (meaning.group === 'features' || meaning.group === 'subjects') {
      for (const tint of colours) {
        owned.add(tint);
        // One colour is drawn of two.
        if (tint.meaning?.name !== colour) tint.meaning = undefined;
      }
    }
    switch (meaning.group) {
      case 'numbers':
        if (next?.joined || !/\d/.test(word)) count = { name: Number(meaning.name), thing };
        break;
      case 'hair':
        found.features.hair = meaning.name;
        break;
      case 'features':
        if (colour) found.features[meaning.name] = colour;
        break;
      case 'colours':
        worn.push(thing);
        break;
      default: {
        // The two sides of a meaning belong together by construction.
        const list = found[meaning.group] as string[];
        if (!list.includes(meaning.name)) list.push(meaning.name);
        if (meaning.group === 'subjects') joinRoles(found, before);
      }
    }
    if (link && link.of !== meaning.name && (meaning.group === 'subjects' || meaning.group === 'places')) {
      if (link.name === 'on' && meaning.group === 'subjects') found.riding = true;
      const { name, of, written: phrase } = link;
      const claim = { group: 'relations', name, of, to: meaning.name } as const;
      found.things.push(said(phrase.join(' '), claim));
    }
    if (count && (meaning.group === 'subjects' || meaning.group === 'elements'))
      count.thing.meaning = { group: 'counts', name: count.name, of: meaning.name };
    if (meaning.group === 'subjects') {
      if (colour) found.coats[meaning.name] = colour;
      const many = count?.name ?? (isPlural(word) ? 'many' : undefined);
      if (many) found.counts[meaning.name] ??= many;
    }
    if (['subjects', 'places', 'elements', 'features'].includes(meaning.group)) {
      count = undefined;
      link = undefined;
    }
  }
  for (const thing of found.things)
    if (thing.meaning?.group === 'colours' && !owned.has(thing)) found.colours.push(thing.meaning.name);
  // A library is full of books already.
  if (found.subjects.includes('bookcase')) found.subjects = found.subjects.filter((kind) => kind !== 'book');
  found.people = peopleOf(sayings);
  return found;
}

const said = (name: string, claim: Claim): Thing => ({
  name,
  meaning: claim,
  costumed: false,
  traits: [],
  common: false,
});

/** 'A pirate ship', 'a robot barista' and 'a girl astronaut' are one subject each, and that is not the person. */
function joinRoles(found: Reading, before: Thing | undefined): void {
  const thing = found.things.at(-1);
  const pair = [before, thing].filter((one) => one?.meaning?.group === 'subjects');
  const person = pair.find((one) => one?.meaning?.name === 'person');
  const other = pair.find((one) => one?.meaning?.name !== 'person');
  if (before && thing && !person && pair.length === 2 && before.meaning?.name !== thing.meaning?.name) {
    // 'A cat astronaut': both are drawn, but not in one.
    found.things.push(said(`${before.name} ${thing.name}`, { group: 'actions', name: 'being one' }));
  }
  if (!person || !other) return;
  found.subjects = found.subjects.filter((kind) => kind !== 'person');
  // What one does is not seen; that it is a girl neither, but nobody misses that of an astronaut.
  if (!isOccupation(person.name.toLowerCase())) person.meaning = other.meaning;
}
