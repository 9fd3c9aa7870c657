/** How many letters have to be put in, left out, replaced or swapped with their neighbour to make one word of the other. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

/** Longer than anything that is looked for. */
const LONGEST = 40;

/** The known word that a misspelt one is most like: a letter off, or two where it is long. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const most = word.length > 5 ? 2 : 1;
  const measured = known.map((candidate) => ({ candidate, off: distance(word, candidate) }));
  const [best] = measured.filter(({ off }) => off <= most).toSorted((a, b) => a.off - b.off);
  return best?.candidate;
}
