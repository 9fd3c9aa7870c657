/** A row as it lies in a table. `text` is what Keyv has made of the value. */
export interface TableRow {
  key: string;
  text: string;
  /** Milliseconds since the epoch: from then on it counts as absent. `null`: never. */
  expires: number | null;
}

/** Keys between two others, neither of them included, by the bytes of their UTF-8. */
export interface KeyRange {
  after: string;
  before: string;
  /** Rows at most. */
  limit: number;
  /** From the last key to the first. */
  backwards: boolean;
}

/** One table of keys and texts. Every function is one statement: it happens as a whole or not at all. */
export interface Table {
  /** Those of these rows that have not expired at `now`. */
  read(keys: readonly string[], now: number): Promise<TableRow[]>;
  /** Rows of this range that have not expired at `now`, in order. */
  list(range: KeyRange, now: number): Promise<TableRow[]>;
  /** Likewise only their keys, and of those alone that hold `text` in key or text, as all do that of no characters. */
  keys(range: KeyRange, text: string, now: number): Promise<Pick<TableRow, 'key'>[]>;
  /** Writes rows, each key once, over those that are there. Durable when it resolves, like every write. */
  upsert(rows: readonly TableRow[]): Promise<void>;
  /**
   * Writes those rows, of several with one key the first, whose key is not there, or has expired at `now`; resolves
   * with their keys.
   */
  insert(rows: readonly TableRow[], now: number): Promise<string[]>;
  /** Writes `text` where the row still holds `before`, and leaves when it expires; says whether it did. */
  replace(key: string, before: string, text: string): Promise<boolean>;
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes the row where it still holds `before`; says whether it did. */
  deleteUnchanged(key: string, before: string): Promise<boolean>;
  /** Deletes at most `limit` rows that have expired at `now`; resolves with how many. */
  deleteExpired(now: number, limit: number): Promise<number>;
}

export interface Tables {
  /** What is listed, so its rows are small. */
  rows: Table;
  pictures: Table;
}

/** What they are called in the database, where others may have theirs. */
export const TABLE_NAMES = { rows: 'bot_rows', pictures: 'bot_pictures' } as const;

/** The tables of a store, on one connection or pool. */
export interface Database extends Tables {
  /** Everything that `work` does to its tables, or nothing; it sees nothing that others write meanwhile. */
  transaction<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
  /** As `transaction`, and one such work at a time, of all processes: it sees what those before it have written. */
  alone<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
  /**
   * Leaves nothing in an SQLite file of rows that were deleted or overwritten before; false where somebody reads it
   * at this moment. PostgreSQL does so by itself, when it vacuums.
   */
  wipeDeleted(): Promise<boolean>;
  close(): Promise<void>;
}
