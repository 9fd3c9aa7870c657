import type { TableRow } from './table.ts';

/** The text of a row, as Keyv writes it. */
export const textOf = (value: unknown, expires: TableRow['expires']): string =>
  JSON.stringify({ value, expires: expires ?? undefined });

/** The value in the text of a row. Of a damaged one, its text, which no schema takes. */
export function valueIn(text: string): unknown {
  try {
    const row: unknown = JSON.parse(text);
    if (typeof row === 'object' && row !== null && 'value' in row) return row.value;
  } catch {}
  return text;
}
