import { OperatorError } from '@darkroom/process';
import { LAYOUT_ROW } from './layout.ts';
import { beginningWith, pagesOf } from './pages.ts';
import { type KeyRange, TABLE_NAMES, type Table, type Tables } from './table.ts';

/** Rows that have expired are copied too: then none has. */
const AT_NO_TIME = 0;

/** How many rows are in memory at once. Those of `pictures` may be tens of megabytes each. */
const PAGE = { rows: 1_000, pictures: 1 };

/** How many rows of each table were copied. */
export type Copied = Record<keyof Tables, number>;

/**
 * Copies every row of `from` into `to`, reads them back there and compares each. Rejects where there are rows in `to`
 * already, or where one of them differs.
 */
export async function copyRows(from: Tables, to: Tables): Promise<Copied> {
  for (const table of [to.rows, to.pictures]) {
    const there = await table.list({ ...beginningWith(''), limit: 2 }, AT_NO_TIME);
    if (there.some(({ key }) => key !== LAYOUT_ROW.key)) {
      throw new Error(
        `there are rows in it already. Move what is there out of the way first: the file with its -wal, or the tables ${Object.values(TABLE_NAMES).join(' and ')}.`,
      );
    }
  }
  return {
    rows: await copyTable(from.rows, to.rows, PAGE.rows),
    pictures: await copyTable(from.pictures, to.pictures, PAGE.pictures),
  };
}

async function copyTable(from: Table, to: Table, limit: number): Promise<number> {
  let copied = 0;
  const list = (range: KeyRange) => from.list(range, AT_NO_TIME);
  for await (const all of pagesOf(list, { ...beginningWith(''), limit })) {
    // Every store has its own.
    const page = all.filter(({ key }) => key !== LAYOUT_ROW.key);
    await to.upsert(page);
    const keys = page.map(({ key }) => key);
    const written = new Map((await to.read(keys, AT_NO_TIME)).map((row) => [row.key, row]));
    for (const row of page) {
      const other = written.get(row.key);
      if (other?.text !== row.text || other.expires !== row.expires) {
        throw new OperatorError(`The row ${row.key} was not the same after it had been copied; nothing was.`);
      }
    }
    copied += page.length;
  }
  return copied;
}
