import { type BatchOptions, createBatch } from '@darkroom/time';
import type { KeyvStoreAdapter } from 'keyv';
import type { Table, TableRow } from './table.ts';

/** What one caller has written: rows that are not there yet, or for each key a row, or its deletion. */
type Write = { insert: readonly TableRow[] } | { change: ReadonlyMap<string, TableRow | undefined> };

interface KeyvAdapter extends KeyvStoreAdapter {
  /**
   * Writes those rows whose key is not there; says whether the first one was among them. Leaves it at that where
   * `signal` aborts before it has begun.
   */
  insert(rows: readonly TableRow[], signal?: AbortSignal): Promise<boolean>;
}

/**
 * A table as Keyv wants it. Reads of one moment become one statement, and so do insertions, writes and deletions; of
 * several for one key the last counts. A row is read as its text, and when it expires stays here: Keyv would delete one
 * that has by its key, whatever was written meanwhile. What could not begin within `giveUpAfterMs` is not done.
 */
export function createKeyvAdapter(table: Table, options: BatchOptions): KeyvAdapter {
  const read = createBatch(async (keys: readonly string[]) => {
    const rows = await table.read([...new Set(keys)], Date.now());
    const texts = new Map(rows.map(({ key, text }) => [key, { value: text }]));
    return keys.map((key) => texts.get(key));
  }, options);

  const write = createBatch(async (writes: readonly Write[]) => {
    const inserts = writes.flatMap((one) => ('insert' in one ? one.insert : []));
    const changes = new Map(writes.flatMap((one) => ('change' in one ? [...one.change] : [])));
    const upserts = [...changes.values()].filter((row) => row !== undefined);
    const deletions = [...changes].flatMap(([key, row]) => (row ? [] : [key]));
    const inserted = new Set(inserts.length > 0 ? await table.insert(inserts, Date.now()) : []);
    if (upserts.length > 0) await table.upsert(upserts);
    if (deletions.length > 0) await table.delete(deletions);
    return writes.map((one) => 'insert' in one && inserted.delete(one.insert[0]?.key ?? ''));
  }, options);

  async function setMany(entries: readonly { key: string; value: string; ttl?: number | undefined }[]) {
    const rows = entries.map(
      ({ key, value, ttl }) => [key, { key, text: value, expires: expiryAfter(ttl) }] as const,
    );
    await write({ change: new Map(rows) });
  }

  async function deleteMany(keys: readonly string[]): Promise<boolean> {
    await write({ change: new Map(keys.map((key) => [key, undefined])) });
    return true;
  }

  const adapter: KeyvAdapter = {
    opts: {},
    // Nothing is emitted: who asks is told.
    on: () => adapter,
    // Keyv promises a value of its caller's type, who here is given the text of the row.
    get: (key) => read(key) as Promise<never>,
    getMany: (keys) => Promise.all(keys.map((key) => read(key) as Promise<never>)),
    set: (key, value, ttl) => setMany([{ key, value, ttl }]),
    setMany,
    delete: (key) => deleteMany([key]),
    deleteMany,
    clear: () => Promise.reject(new Error('a store is not cleared')),
    insert: (rows, signal) => write({ insert: rows }, signal),
  };
  return adapter;
}

/** When what is written now expires: `TableRow.expires`. */
export const expiryAfter = (ttl: number | undefined): number | null =>
  ttl === undefined ? null : Date.now() + ttl;
