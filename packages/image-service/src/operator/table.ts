/** A value of a row: a number is aligned to the right, a `Date` shown as a day and a time in UTC. */
type Cell = string | number | Date | null;
export type Row = Readonly<Record<string, Cell>>;

/**
 * What a command prints: rows, and under them, for people alone, what they mean; without rows only that. `isWrong`:
 * an error, and it exits with 1.
 */
export type CommandResult =
  | readonly [Row, ...Row[]]
  | { rows: readonly Row[]; said: string; isWrong?: boolean };

/** A list; where nothing is on it, what that means, and what to do about it. */
export const listed = (rows: readonly Row[], whereEmpty: string): CommandResult => {
  const [first, ...others] = rows;
  return first ? [first, ...others] : { rows, said: whereEmpty };
};

/** What was deleted; `isWiped`: see `wipeDeleted`. */
export const deleted = (row: Row, isWiped: boolean): CommandResult => ({
  rows: [{ ...row, wiped: isWiped ? 'yes' : 'no' }],
  said: isWiped
    ? ''
    : 'Something reads the SQLite file, such as a backup: what was deleted stands in its log until the service is restarted.',
});

/** Milliseconds since the epoch as a cell. */
export const timestamp = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Rows as a table for people, and what is said under it; the columns are those of the first row. */
export function table(rows: readonly Row[], said = ''): string {
  const [first] = rows;
  if (!first) return said;
  const columns = Object.keys(first);
  const texts = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column] ?? null)))];
  const widths = columns.map((_, at) => Math.max(...texts.map((line) => line[at]?.length ?? 0)));
  const lines = texts.map((line) =>
    line
      .map((text, at) => {
        const width = widths[at] ?? 0;
        return typeof first[columns[at] ?? ''] === 'number' ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...(said === '' ? [] : ['', said])].join('\n');
}

/** As people read it. */
export function textOf(cell: Cell): string {
  if (cell === null) return '–';
  return cell instanceof Date ? cell.toISOString().slice(0, 16).replace('T', ' ') : String(cell);
}
