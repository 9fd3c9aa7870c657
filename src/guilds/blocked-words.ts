import type { Submission } from '@darkroom/image-api';

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аaсcеeһhіiјjӏlոnоoрpԛqѕsսuѵvԝwхxуyαaεeιiκkνvοoρpτtυuχx'.matchAll(/(.)(.)/gu)].map(
    ([, other = '', latin = '']) => [other, latin],
  ),
);

/** What Unicode lets ignore (zero-width characters, marks of direction), and accents. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;

/** Small letters without accents and forms of other widths: what a reader takes for the same. */
const plain = (text: string): string =>
  text.normalize('NFKD').replace(UNSEEN, '').toLowerCase().normalize('NFKC').replaceAll('ß', 'ss');

/** A word with its lookalikes as Latin letters, where that makes a Latin word of it: one of another alphabet stays. */
function latinised(word: string): string {
  const latin = [...word].map((letter) => LOOKALIKES[letter] ?? letter).join('');
  return /^[\p{Script=Latin}\p{N}*]+$/u.test(latin) ? latin : word;
}

const wordsIn = (text: string, letters: RegExp): string[] =>
  (plain(text).match(letters) ?? []).map(latinised);

interface ReadText {
  words: string[];
  /** Letters that stand alone, one after the other: somebody has spelled out a word (`s p e l l`). */
  spelled: string[];
}

function readText(text: string): ReadText {
  const words = wordsIn(text, /[\p{L}\p{N}]+/gu);
  const letters = words.map((word) => (word.length === 1 ? word : ' ')).join('');
  return { words, spelled: letters.split(' ').filter((run) => run.length > 2) };
}

/** Whether a word is as `pattern` says, in which `*` stands for any letters. Never more steps than both are long together, times each. */
function isLike(word: string, pattern: string): boolean {
  let at = 0;
  let wanted = 0;
  let star = -1;
  let from = 0;
  while (at < word.length) {
    if (pattern[wanted] === '*') {
      star = wanted++;
      from = at;
    } else if (pattern[wanted] === word[at]) {
      at++;
      wanted++;
    } else if (star >= 0) {
      wanted = star + 1;
      at = ++from;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(wanted));
}

/** Everything that somebody has written in a submission; in a graph every text of every node. */
function* textsOf({ prompt, negative_prompt }: Submission): Generator<string> {
  yield* textsIn(prompt);
  if (negative_prompt !== undefined) yield negative_prompt;
}

function* textsIn(value: unknown): Generator<string> {
  const left = [value];
  for (let next = left.pop(); next !== undefined || left.length > 0; next = left.pop()) {
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null) left.push(...Object.values(next));
  }
}

/**
 * The first of `blocked` that a submission holds: a word, several in a row, or with `*` for any letters. Case, accents,
 * invisible characters, letters of other alphabets that look the same and spelled-out words make no difference.
 */
export function findBlockedWord(submission: Submission, blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined;
  const texts = [...textsOf(submission)].map(readText);
  return blocked.find((entry) => {
    const patterns = wordsIn(entry, /[\p{L}\p{N}*]+/gu).filter((pattern) => /[^*]/.test(pattern));
    return patterns.length > 0 && texts.some((text) => holds(text, patterns));
  });
}

const holds = ({ words, spelled }: ReadText, patterns: readonly string[]): boolean =>
  words.some((_, first) => patterns.every((pattern, nth) => isLike(words[first + nth] ?? '', pattern))) ||
  (patterns.length === 1 && spelled.some((run) => isLike(run, `*${patterns[0]}*`)));
