/** A value of a row: a number is aligned to the right, a `Date` shown as a day and a time in UTC. */
type Cell = string | number | Date | null;
export type Row = Readonly<Record<string, Cell>>;

/** What a command prints: rows, and under them, for people alone, what they mean. `isWrong`: an error, and it exits with 1. */
export type CommandResult = readonly Row[] | { rows: readonly Row[]; said?: string; isWrong?: boolean };

/** Milliseconds since the epoch as a cell. */
export const timestamp = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Rows as a table for people, and what is said under it; the columns are those of the first row. */
export function table(rows: readonly Row[], said?: string): string {
  const [first] = rows;
  if (!first) return `${said ?? 'none'}\n`;
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
  return `${[...lines, ...(said === undefined ? [] : ['', said])].join('\n')}\n`;
}

function textOf(cell: Cell): string {
  if (cell === null) return '–';
  return cell instanceof Date ? cell.toISOString().slice(0, 16).replace('T', ' ') : String(cell);
}
