/** What stands before, between and after words. */
const BOUNDARY = ' ';

/** A letter of a pattern, and whether any others may follow it in its word. */
interface Symbol {
  letter: string;
  anyAfter: boolean;
}

/** Whole words in a row, in which `*` stands for any letters; what is found where they stand. */
export interface WordPattern<Found> {
  words: readonly string[];
  found: Found;
}

/** Reads words letter by letter. */
export type WordReader<Found> = ReturnType<ReturnType<typeof createWordAutomaton<Found>>>;

/**
 * All patterns in one automaton: a bit for each of their letters, set where the text so far ends with what leads
 * there ("Shift-And", of Baeza-Yates and Gonnet). A letter of the text takes a few operations on numbers of so many
 * bits, whatever it and the patterns hold. Each reader reads by itself.
 */
export function createWordAutomaton<Found>(patterns: readonly WordPattern<Found>[]) {
  /** Where each letter leads. What is made of it has room for all symbols, and few of the letters are ever read. */
  const places = new Map<string, number[]>();
  const loopsAt: number[] = [];
  const startsAt: number[] = [];
  const foundAt = new Map<number, Found>();
  let next = 0;
  for (const { words, found } of patterns) {
    startsAt.push(next);
    for (const { letter, anyAfter } of symbolsOf(words)) {
      const known = places.get(letter);
      if (known) known.push(next);
      else places.set(letter, [next]);
      if (anyAfter) loopsAt.push(next);
      next += 1;
    }
    foundAt.set(next - 1, found);
  }
  const bitsOf = (letter: string) => bitsAt(places.get(letter) ?? []);
  const loops = bitsAt(loopsAt);
  const starts = bitsAt(startsAt);
  const ends = bitsAt([...foundAt.keys()]);
  const boundaries = bitsOf(BOUNDARY);

  return () => {
    let state = 0n;
    const known = new Map<string, bigint>();

    function matchingOf(letter: string): bigint {
      const matching = known.get(letter) ?? bitsOf(letter);
      if (matching !== 0n) known.set(letter, matching);
      return matching;
    }

    const step = (matching: bigint): bigint => ((state << 1n) | starts) & matching;

    return {
      /** Before the first word of a text. */
      begin(): void {
        state = starts;
      },

      /** One letter of a word, as any of those that it may stand for. */
      letter(readings: readonly string[]): void {
        // What begins a pattern is a boundary.
        if (state === 0n) return;
        const matching = readings.reduce((either, letter) => either | matchingOf(letter), 0n);
        state = step(matching) | (state & loops);
      },

      /** After each word; what the words so far hold. */
      endWord(): Found | undefined {
        state = step(boundaries);
        const ended = state & ends;
        return ended === 0n ? undefined : foundAt.get((ended & -ended).toString(2).length - 1);
      },
    };
  };
}

/** The number whose bits at `places` are set, which ascend. Made of bytes: each bit by itself would copy all of it. */
function bitsAt(places: readonly number[]): bigint {
  const bytes = Buffer.alloc(((places.at(-1) ?? 0) >>> 3) + 1);
  for (const bit of places) {
    const at = bytes.length - 1 - (bit >>> 3);
    bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7));
  }
  return BigInt(`0x${bytes.toString('hex')}`);
}

/** A boundary, and each word with one behind it. */
function symbolsOf(words: readonly string[]): Symbol[] {
  const symbols: Symbol[] = [{ letter: BOUNDARY, anyAfter: false }];
  for (const word of words) {
    for (const letter of word) {
      const last = symbols.at(-1);
      if (letter === '*' && last) last.anyAfter = true;
      else symbols.push({ letter, anyAfter: false });
    }
    symbols.push({ letter: BOUNDARY, anyAfter: false });
  }
  return symbols;
}
