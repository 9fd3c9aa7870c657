import { TABLE_NAMES, type Table, type TableRow, type Tables } from './table.ts';

/** Runs one statement, whose parameters are written as `?`, and resolves with its rows. */
export type Query = <Row extends object>(sql: string, ...parameters: unknown[]) => Promise<Row[]>;

/** In what the SQL of one database differs from that of another. */
export interface Dialect {
  /** That a key is one of several, and these as its parameter. */
  isAmong: string;
  several(keys: readonly string[]): unknown;
  /** That a key is one of those that `select` finds. `lock`: how rows are kept from others, where that is asked for. */
  isSelected(select: string, lock: string): string;
  /** Says where a text begins in another, from 1; 0 where it does not stand there. */
  position: string;
  /** What selects rows, each key once, out of their parameters. */
  given: string;
  parametersOf(rows: readonly TableRow[]): unknown[];
}

const COLUMNS = 'key, value AS text, expires';

/** The tables of a store, which have been made. */
export const createTables = (query: Query, dialect: Dialect): Tables => ({
  rows: createTable(TABLE_NAMES.rows, query, dialect),
  pictures: createTable(TABLE_NAMES.pictures, query, dialect),
});

/** One of keys, values and when they expire. */
function createTable(
  name: string,
  query: Query,
  { isAmong, several, isSelected, position, given, parametersOf }: Dialect,
): Table {
  const write = `INSERT INTO ${name} (key, value, expires) ${given}
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`;
  const keysOf = (condition: string) => `SELECT key FROM ${name} WHERE ${condition}`;
  return {
    read: (keys, now) =>
      query(
        `SELECT ${COLUMNS} FROM ${name} WHERE key ${isAmong} AND (expires IS NULL OR expires > ?)`,
        several(keys),
        now,
      ),

    list: ({ after, before, limit, backwards }, now) =>
      query(
        `SELECT ${COLUMNS} FROM ${name}
          WHERE key > ? AND key < ? AND (expires IS NULL OR expires > ?)
          ORDER BY key ${backwards ? 'DESC' : 'ASC'} LIMIT ?`,
        after,
        before,
        now,
        limit,
      ),

    keys: ({ after, before, limit, backwards }, text, now) =>
      query(
        `SELECT key FROM ${name}
          WHERE key > ? AND key < ? AND (expires IS NULL OR expires > ?)
            AND (${position}(key, ?) > 0 OR ${position}(value, ?) > 0)
          ORDER BY key ${backwards ? 'DESC' : 'ASC'} LIMIT ?`,
        after,
        before,
        now,
        text,
        text,
        limit,
      ),

    async upsert(rows) {
      await query(write, ...parametersOf(rows));
    },

    async insert(rows, now) {
      const first = new Map(rows.toReversed().map((row) => [row.key, row]));
      const inserted = await query<{ key: string }>(
        `${write} WHERE ${name}.expires <= ? RETURNING key`,
        ...parametersOf([...first.values()]),
        now,
      );
      return inserted.map(({ key }) => key);
    },

    async replace(key, before, text) {
      const sql = `UPDATE ${name} SET value = ? WHERE key = ? AND value = ? RETURNING key`;
      return (await query(sql, text, key, before)).length > 0;
    },

    async delete(keys) {
      const found = isSelected(keysOf(`key ${isAmong} ORDER BY key`), 'FOR UPDATE');
      await query(`DELETE FROM ${name} WHERE key ${found}`, several(keys));
    },

    async deleteUnchanged(key, before) {
      const sql = `DELETE FROM ${name} WHERE key = ? AND value = ? RETURNING key`;
      return (await query(sql, key, before)).length > 0;
    },

    async deleteExpired(now, limit) {
      const found = isSelected(keysOf('expires <= ? LIMIT ?'), 'FOR UPDATE SKIP LOCKED');
      return (await query(`DELETE FROM ${name} WHERE key ${found} RETURNING key`, now, limit)).length;
    },
  };
}

/** Does `work` in the transaction that `begin` opens: all of it, or nothing where it rejects, or its process dies. */
export async function inTransaction<Result>(
  query: Query,
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await query(begin);
  try {
    const result = await work();
    await query('COMMIT');
    return result;
  } catch (error) {
    await query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
