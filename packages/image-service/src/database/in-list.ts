/**
 * The values of an `in`, the last one again up to a power of two: each statement is prepared once and kept, and so
 * there are few for lists of any length.
 */
export function inList<Value extends number | string>(values: readonly Value[]): Value[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<Value>(size - values.length).fill(last)];
}
