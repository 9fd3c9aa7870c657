import { UNSEEN_WORDS } from './lexicon/unseen.ts';
import type { Word } from './words.ts';

const UNSEEN: ReadonlySet<string> = new Set(Object.values(UNSEEN_WORDS).flatMap((row) => row.split(' ')));
const GERMAN: ReadonlySet<string> = new Set(
  'der die das und mit ein eine einen einem einer im auf von zum zur am beim unter über für ist sind'.split(
    ' ',
  ),
);

const ENGLISH: ReadonlySet<string> = new Set('a the of with on at and is are'.split(' '));

/** Words of the lexicon that mean something else where a text is in the other language: a German 'Hut' is a hat. */
const NOT_GERMAN: ReadonlySet<string> = new Set('hut bald fall star herd mug barn'.split(' '));
const NOT_ENGLISH: ReadonlySet<string> = new Set(
  'see kind tag stern ours chat cane mare tour sole dom rot alt nave boot taches'.split(' '),
);

/** English words of these endings are verbs, adverbs and adjectives, but for a few. */
const BENDING = /.{3}(ing|ly|ful|ous|less|able|ible|ish|ward|wards|ed)$/u;
const THINGS_ALL_THE_SAME = new Set(
  'building buildings ceiling clothing earring evening wedding pudding string wing lightning railing sibling viking duckling dumpling painting family lily belly bully jelly assembly italy july fly dolly radish goldfish crayfish starfish swordfish catfish jellyfish dish fish table vegetable bed seed weed reed shed sled sword steward'.split(
    ' ',
  ),
);

/** In scripts without spaces, kana are endings and particles more often than not. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const SIGNS = /[\p{Script=Han}\p{Script=Katakana}]/gu;

interface Spelling {
  /** In German a noun begins with a capital letter. */
  capitalNouns: boolean;
  /** Words that have their meaning in another language than the text's. */
  foreign: ReadonlySet<string>;
}

export function spellingOf(words: readonly Word[]): Spelling {
  const german = words.filter(({ word }) => GERMAN.has(word)).length;
  const english = words.filter(({ word }) => ENGLISH.has(word)).length;
  const foreign = german > english ? NOT_GERMAN : english > german ? NOT_ENGLISH : new Set<string>();
  const capitals = words.slice(1).some(({ written }) => /^\p{Lu}\p{Ll}/u.test(written));
  return { capitalNouns: german > 0 && german * 6 >= words.length && capitals, foreign };
}

/** Whether a word that the lexicon does not hold may name something which a picture shows. */
export function mayNameThing(
  { word, written }: Word,
  { capitalNouns }: Pick<Spelling, 'capitalNouns'>,
): boolean {
  if (!/\p{L}/u.test(word) || /^\d/u.test(word) || UNSEEN.has(word)) return false;
  if (UNSPACED.test(word)) return (word.match(SIGNS)?.length ?? 0) > 1;
  if ([...word].length < 3) return false;
  if (capitalNouns) return /^\p{Lu}/u.test(written);
  return !BENDING.test(word) || THINGS_ALL_THE_SAME.has(word) || /^\p{Lu}\p{Ll}/u.test(written);
}
