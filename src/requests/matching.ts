/**
 * How well a name fits what is typed: it itself, its beginning, the beginning of a word in it, a part, or its letters
 * in order.
 */
function rankOf(name: string, typed: string): number {
  const at = name.indexOf(typed);
  if (name === typed) return 0;
  if (at === 0) return 1;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(name.charAt(at - 1)) ? 2 : 3;
  return hasInOrder(name, typed) ? 4 : Number.POSITIVE_INFINITY;
}

function hasInOrder(name: string, typed: string): boolean {
  let from = 0;
  for (const letter of typed.replace(/\s+/g, '')) {
    from = name.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** How freely a name may be meant by what is typed. */
const WORST = { word: 2, part: 3, letters: 4 } as const;

/**
 * The items that what is typed so far may mean, the likeliest first, else in their order; all of them where nothing
 * is typed. `namesOf`: each of them may be what is meant. `by`: the beginning of a word, any part, or letters in
 * their order.
 */
export function matching<Item>(
  items: readonly Item[],
  typed: string,
  { namesOf, by = 'letters' }: { namesOf(item: Item): readonly string[]; by?: keyof typeof WORST },
): Item[] {
  const query = typed.trim().toLowerCase();
  return items
    .map((item) => ({
      item,
      rank: Math.min(...namesOf(item).map((name) => rankOf(name.toLowerCase(), query))),
    }))
    .filter(({ rank }) => rank <= WORST[by])
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
