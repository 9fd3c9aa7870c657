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
/** Several words that are one of the lexicon's. */
const PHRASES: readonly [RegExp, string][] = [
  [/\bstill[ -]life\b/giu, 'stilllife'],
  [/\bhot[ -]air balloon/giu, 'balloon'],
  [/\bbowls? of (?=fruit|apple|pear|grape)/giu, ''],
  [/\bunder (?:the )?(?:sea|ocean|water)\b/giu, 'underwater'],
  [
    /\b(?:black[ -]and[ -]white|schwarz[ -]wei(?:ß|ss))(?=[ -](?:photo|picture|image|drawing|film|foto|bild)|\s+(?:at|in|on|by|with|style)\b|\s*(?:[,.;]|$))/giu,
    'monochrome',
  ],
  [/\brow(?:ing)?[ -]boat/giu, 'rowboat'],
  [/\b(?:sports?|rac(?:e|ing))[ -]car/giu, 'car'],
  [/\bon the moon\b|\bauf dem mond\b|\bsur la lune\b|\ben la luna\b/giu, 'lunar'],
];
/** What changes the look of an emoji and not what it shows: skin tones and the wish for colour. */
const VARIATIONS = /\p{Emoji_Modifier}|\uFE0F/gu;
/** What other programs read out of a prompt: `<lora:name:0.8>`. */
const TAGS = /<[^<>]*>/gu;

export interface Word {
  /** As the lexicon has it: lower case. */
  word: string;
  /** As it was written. */
  written: string;
  /** Nothing but space or a hyphen stands between it and the word before. */
  joined: boolean;
}

/** `text` so that two spellings of the same words are equal: NFKC, lower case, single spaces. */
export function normalise(text: string): string {
  return spaced(text).toLowerCase();
}

const spaced = (text: string) => text.normalize('NFKC').trim().replace(/\s+/gu, ' ');

/** The words of a text in their order, emoji among them as the words that they stand for. */
export function wordsOf(text: string): Word[] {
  const signed = spaced(text).replace(TAGS, ' , ').replace(VARIATIONS, '').replace(SIGNS, spell);
  const spelt = PHRASES.reduce((said, [phrase, word]) => said.replace(phrase, word), signed);
  const words: Word[] = [];
  let end = 0;
  for (const run of spelt.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [written] = run;
    const joined = words.length > 0 && /^[ -]$/.test(spelt.slice(end, run.index));
    end = run.index + written.length;
    if (UNSPACED.test(written))
      for (const word of unspaced(written.toLowerCase())) words.push({ word, written: word, joined: false });
    else words.push({ word: written.toLowerCase(), written, joined });
  }
  return words;
}

/** One sign as its words; a row of the same sign as a number before them. */
function spell(row: string, sign: string): string {
  const words = PICTURED.get(sign)?.join(' ') ?? '';
  return row === sign ? ` ${words} ` : ` ${Math.min(5, row.length / sign.length)} ${words} `;
}

function unspaced(run: string): string[] {
  const letters = [...run];
  const found: string[] = [];
  const rest: string[] = [];
  let open = false;
  for (let at = 0; at < letters.length; ) {
    const word = Array.from({ length: LONGEST_UNSPACED }, (_, less) =>
      letters.slice(at, at + LONGEST_UNSPACED - less).join(''),
    ).find((candidate) => meaningOf(candidate) !== undefined || traitsOf(candidate).length > 0);
    if (word) found.push(word);
    else if (open) rest.push(`${rest.pop() ?? ''}${letters[at]}`);
    else rest.push(letters[at] ?? '');
    open = !word;
    at += word ? [...word].length : 1;
  }
  return [...found, ...rest];
}
