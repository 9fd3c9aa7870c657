import type { Submission } from '@darkroom/image-api';
import { createLetterReader, plain, type Readings, withoutCase } from './read-letters.ts';
import { createWordAutomaton, type WordPattern, type WordReader } from './word-automaton.ts';

export type BlockedWords = ReturnType<typeof compileBlockedWords>;

/** So many letters that stand alone, one after the other, spell a word (`f o x`). */
const SPELLED = 3;

const LETTERS = /[\p{L}\p{N}]+/gu;
const LETTERS_OR_ANY = /[\p{L}\p{N}*]+/gu;

/** `entries`: as a server has typed them. */
export function compileBlockedWords(entries: readonly string[]) {
  const readLetters = createLetterReader();
  const patterns = entries.flatMap((entry) => patternsOf(entry, readLetters));
  const readWords = createWordAutomaton(patterns);
  const readSpelled = createWordAutomaton(
    patterns.flatMap(({ words: [word, ...others], found }) =>
      word !== undefined && others.length === 0 ? [{ words: [`*${word}*`], found }] : [],
    ),
  );

  return {
    /**
     * One of them that a submission holds: a word, several in a row, or with `*` for any letters. Case, accents,
     * invisible characters, letters of other alphabets that look the same, spelled-out words and escapes of JSON make
     * no difference. `names`: what is named in its graph.
     */
    findIn({ prompt, negative_prompt, model }: Submission, names: Iterable<string> = []): string | undefined {
      if (patterns.length === 0) return undefined;
      const findInText = createTextReader(readWords(), readSpelled());
      for (const text of textsIn([...names, prompt, negative_prompt, model])) {
        const found =
          findInText(text) ?? (text.includes('\\') ? findInText(withoutEscapes(text)) : undefined);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** What an entry looks for: as it was typed, and with the Latin letters that it looks like. */
function patternsOf(entry: string, readLetters: (word: string) => Readings[]): WordPattern<string>[] {
  const typed = (plain(entry).match(LETTERS_OR_ANY) ?? []).filter((word) => /[^*]/.test(word));
  if (typed.length === 0) return [];
  const itself = typed.map(withoutCase);
  const latin = typed.map((word) =>
    word
      .split('*')
      .map((part) => readLetters(part).map((readings) => readings.at(-1)))
      .map((letters) => letters.join(''))
      .join('*'),
  );
  const isSame = latin.every((word, nth) => word === itself[nth]);
  return [itself, ...(isSame ? [] : [latin])].map((words) => ({ words, found: entry }));
}

/** Reads texts, one after the other, and says what is found in each. */
function createTextReader(words: WordReader<string>, spelled: WordReader<string>) {
  const readLetters = createLetterReader();

  return (text: string): string | undefined => {
    let alone: Readings[] = [];
    words.begin();
    spelled.begin();
    function endOfSpelled(): string | undefined {
      const found = alone.length < SPELLED ? undefined : readWord(alone, spelled);
      alone = [];
      return found;
    }
    for (const [word] of plain(text).matchAll(LETTERS)) {
      const letters = readLetters(word);
      const found = readWord(letters, words) ?? (letters.length > 1 ? endOfSpelled() : undefined);
      if (found !== undefined) return found;
      if (letters.length === 1) alone.push(...letters);
    }
    return endOfSpelled();
  };
}

function readWord(letters: readonly Readings[], reader: WordReader<string>): string | undefined {
  for (const readings of letters) {
    const [itself] = readings;
    // Without case it may be two.
    if (itself.length === 1) reader.letter(readings);
    else for (const letter of itself) reader.letter([letter]);
  }
  return reader.endWord();
}

/** Every text in a value, such as those of every node of a graph. */
function* textsIn(value: unknown): Generator<string> {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) left.push(inner);
  }
}

/**
 * An escape of JSON, in a text of any depth: JSON in JSON has the backslash twice. Looked at once, however many of
 * them there are.
 */
const ESCAPE = /(?<!\\)\\+(?:u([\da-f]{4})|(.))/gis;
/** Escapes that are themselves written as escapes, so deep. */
const DEPTH = 3;

/** The letters that escapes of JSON in a text stand for: `\u0066ox` is `fox`, and `\nfox` has an end of a line. */
function withoutEscapes(text: string): string {
  let plain = text;
  for (let depth = 0; depth < DEPTH && plain.includes('\\'); depth += 1)
    plain = plain.replace(ESCAPE, (_, code?: string, other?: string) =>
      code === undefined ? letterOf(other ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return plain;
}

const letterOf = (escaped: string): string => (/[bfnrt]/.test(escaped) ? ' ' : escaped);
