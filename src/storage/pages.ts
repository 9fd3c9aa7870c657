import type { KeyRange, TableRow } from './table.ts';

/** Every key that begins with `prefix`, in order: no key contains the last of all characters. */
export const beginningWith = (prefix: string): Omit<KeyRange, 'limit'> => ({
  after: prefix,
  before: `${prefix}\u{10FFFF}`,
  backwards: false,
});

/** Every row, or key, of a range as `list` gives them, `limit` of them at once; a page is read when the one before is done with. */
export async function* pagesOf<Listed extends Pick<TableRow, 'key'>>(
  list: (range: KeyRange) => Promise<Listed[]>,
  range: KeyRange,
): AsyncGenerator<Listed[]> {
  const { limit, backwards } = range;
  for (let left = range; ; ) {
    const page = await list(left);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    left = { ...left, [backwards ? 'before' : 'after']: last.key };
  }
}
