import { EMOJI } from './lexicon/emoji.ts';
import { meaningOf, traitsOf } from './lexicon/lexicon.ts';

/** Han and kana are written without spaces, so their words are looked for inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const LONGEST_UNSPACED = 5;

const PICTURED = new Map<string, string[]>();
for (const [word, signs] of Object.entries(EMOJI)) {
  for (const sign of signs.split(' ')) PICTURED.set(sign, [...(PICTURED.get(sign) ?? []), word]);
}
const SIGNS = new RegExp(
  `(${[...PICTURED.keys()].sort((one, other) => other.length - one.length).join('|')})\\1*`,
  'gu',
);
/** What changes the look of an emoji and not what it shows: skin tones and the wish for colour. */
const VARIATIONS = /\p{Emoji_Modifier}|\uFE0F/gu;

/** `text` so that two spellings of the same words are equal: NFKC, lower case, single spaces. */
export function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ');
}

/** The words of a text in their order, emoji among them as the words that they stand for. */
export function wordsOf(text: string): string[] {
  const spelt = normalise(text).replace(VARIATIONS, '').replace(SIGNS, spell);
  return (spelt.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? unspaced(run) : [run],
  );
}

/** One sign as its words; a row of the same sign as a number before them. */
function spell(row: string, sign: string): string {
  const words = PICTURED.get(sign)?.join(' ') ?? '';
  return row === sign ? ` ${words} ` : ` ${Math.min(5, row.length / sign.length)} ${words} `;
}

function unspaced(run: string): string[] {
  const letters = [...run];
  const found: string[] = [];
  let rest = '';
  for (let at = 0; at < letters.length; ) {
    const word = Array.from({ length: LONGEST_UNSPACED }, (_, less) =>
      letters.slice(at, at + LONGEST_UNSPACED - less).join(''),
    ).find((candidate) => meaningOf(candidate) !== undefined || traitsOf(candidate).length > 0);
    if (word) found.push(word);
    else rest += letters[at];
    at += word ? [...word].length : 1;
  }
  return rest ? [...found, rest] : found;
}
