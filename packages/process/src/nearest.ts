/**
 * The known word that a misspelt one is most like. `mostOff`: how many letters may be put in, left out, replaced or
 * swapped with their neighbour to make it of the misspelt one; one unless given, and two where that is long.
 */
export function nearest(
  word: string,
  known: readonly string[],
  mostOff: (candidate: string) => number = () => (word.length > 5 ? 2 : 1),
): string | undefined {
  const close = known.flatMap((candidate) => {
    const most = mostOff(candidate);
    if (Math.abs(word.length - candidate.length) > most) return [];
    const off = distance(word, candidate);
    return off <= most ? [{ candidate, off }] : [];
  });
  return close.toSorted((one, other) => one.off - other.off)[0]?.candidate;
}

/** Letters that are put in, left out, replaced or swapped with their neighbour (optimal string alignment). */
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
