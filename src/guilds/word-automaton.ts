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
export interface WordReader<Found> {
  /** Before the first word of a text. */
  begin(): void;
  /** One letter of a word, as any of those that it may stand for. */
  letter(readings: readonly [string, ...string[]]): void;
  /** After each word; what the words so far hold. */
  endWord(): Found | undefined;
}

/**
 * All patterns in one automaton: a bit for each of their letters, set where the text so far ends with what leads
 * there ("Shift-And", of Baeza-Yates and Gonnet). A letter of the text takes a step for every 32 letters of the
 * patterns, whatever either of them holds. Each reader reads by itself.
 */
export function createWordAutomaton<Found>(patterns: readonly WordPattern<Found>[]): () => WordReader<Found> {
  const symbols = patterns.flatMap(({ words }) => symbolsOf(words));
  const cells = Math.ceil(symbols.length / 32);
  const bits = () => new Int32Array(cells);
  const set = (cell: Int32Array, bit: number) => {
    cell[bit >>> 5] = (cell[bit >>> 5] ?? 0) | (1 << (bit & 31));
  };

  /** Where each letter leads. What is made of it has room for all symbols, and few of the letters are ever read. */
  const places = new Map<string, number[]>();
  const loops = bits();
  for (const [bit, { letter, anyAfter }] of symbols.entries()) {
    const found = places.get(letter);
    if (found) found.push(bit);
    else places.set(letter, [bit]);
    if (anyAfter) set(loops, bit);
  }
  const starts = bits();
  const ends = bits();
  const foundAt = new Map<number, Found>();
  let next = 0;
  for (const { words, found } of patterns) {
    set(starts, next);
    next += symbolsOf(words).length;
    set(ends, next - 1);
    foundAt.set(next - 1, found);
  }
  const none = bits();
  function bitsOf(letter: string): Int32Array {
    const found = places.get(letter);
    if (!found) return none;
    const cell = bits();
    for (const bit of found) set(cell, bit);
    return cell;
  }
  const boundaries = bitsOf(BOUNDARY);

  return () => {
    const state = bits();
    const either = bits();
    const known = new Map<string, Int32Array>();
    let isEmpty = true;

    function matchingOf(letter: string): Int32Array {
      const matching = known.get(letter) ?? bitsOf(letter);
      if (matching !== none) known.set(letter, matching);
      return matching;
    }

    /** The first cell in which a pattern ends; -1 where none does. */
    function step(matching: Int32Array, mayLoop: boolean): number {
      let endsIn = -1;
      let carry = 0;
      let all = 0;
      for (let cell = 0; cell < cells; cell++) {
        const before = state[cell] ?? 0;
        const moved = ((before << 1) | carry | (starts[cell] ?? 0)) & (matching[cell] ?? 0);
        const after = mayLoop ? moved | (before & (loops[cell] ?? 0)) : moved;
        state[cell] = after;
        all |= after;
        if (endsIn < 0 && (after & (ends[cell] ?? 0)) !== 0) endsIn = cell;
        carry = before >>> 31;
      }
      isEmpty = all === 0;
      return endsIn;
    }

    return {
      begin() {
        state.fill(0);
        step(boundaries, false);
      },

      letter([itself, ...others]) {
        // What begins a pattern is a boundary.
        if (isEmpty) return;
        const matching = matchingOf(itself);
        if (others.length === 0) {
          step(matching, true);
          return;
        }
        either.set(matching);
        for (const other of others.map(matchingOf))
          for (let cell = 0; cell < cells; cell++) either[cell] = (either[cell] ?? 0) | (other[cell] ?? 0);
        step(either, true);
      },

      endWord() {
        const cell = step(boundaries, false);
        if (cell < 0) return undefined;
        const ended = (state[cell] ?? 0) & (ends[cell] ?? 0);
        return foundAt.get(cell * 32 + 31 - Math.clz32(ended & -ended));
      },
    };
  };
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
