import type { Log } from '@darkroom/process';
import type { Keyv } from 'keyv';
import type { z } from 'zod';
import { beginningWith, pagesOf } from './pages.ts';
import { textOf, valueIn } from './row-text.ts';
import type { KeyRange, Table } from './table.ts';

/** How many rows are read within the time of one operation. */
const PAGE = 1_000;

/** How often a change is tried while others write the same row. */
const CHANGES = 10;

/** A row of some collection, to be written with others. */
export interface Row {
  key: string;
  value: unknown;
  /** After how many milliseconds it counts as absent, and is deleted within a day; kept for ever unless given. */
  ttl?: number;
}

export interface ListOptions {
  /** Ids that begin with it; all unless given. */
  prefix?: string;
  /** Ids between these, neither of them included. */
  after?: string;
  before?: string;
  /** The first of them; all unless given. */
  limit?: number;
  /** From the last id to the first. */
  backwards?: boolean;
}

/** Rows of one kind: id → value. Every function rejects where the store cannot be reached. */
export interface Collection<Value> {
  get(id: string): Promise<Value | undefined>;
  /** In the order of `ids`, without those that are absent. */
  getMany(ids: readonly string[]): Promise<Value[]>;
  set(id: string, value: Value, ttl?: number): Promise<void>;
  /**
   * Writes what `change` makes of the row, or deletes it where that is `null`, unless somebody else has written it
   * meanwhile: then of what stands there by then. Undefined where there is none, and where `change` is undefined; then
   * nothing is written. When it expires stays.
   */
  update<Changed extends Value | null>(
    id: string,
    change: (value: Value) => Changed | undefined,
  ): Promise<Changed | undefined>;
  /** Writes what `change` makes of those rows that there are, a thousand at once, over what others write meanwhile. */
  updateMany(ids: readonly string[], change: (value: Value) => Value): Promise<void>;
  delete(id: string): Promise<void>;
  /** Deletes every row whose id begins with `prefix`, a thousand at once. */
  deleteAll(prefix: string): Promise<void>;
  /** In the order of their ids, by the bytes of their UTF-8. Rejects rather than leave one out. */
  list(options?: ListOptions): Promise<{ id: string; value: Value }[]>;
  /**
   * The ids alone, in the same order, also of rows that cannot be read. `prefix`: as of `list`. `holding`: only where
   * this text stands in the row, or in its key; the database looks for it, and reads every row of the prefix.
   */
  ids(options?: { prefix?: string; holding?: string }): Promise<string[]>;
  /** For `Store.write` and `Store.insert`. */
  row(id: string, value: Value, ttl?: number): Row;
  /** For `Store.delete`. */
  key(id: string): string;
}

/** The store did not do what it was asked, or not in time. Of what was to be written nothing is certain. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Rejects with a `StoreError` that says what failed, also where that takes too long. */
export type InTime = <Value>(operation: Promise<Value>, what: string) => Promise<Value>;

/**
 * Values are checked with `schema` when they are read, because rows outlive the code that wrote them. One that does not
 * fit is logged, moved to `set-aside` as it is, for as long as it was to be kept, and counts as absent from then on.
 */
export function createCollection<Schema extends z.ZodType>(
  { keyv, table, inTime, log }: { keyv: Keyv; table: Table; inTime: InTime; log: Log },
  name: string,
  schema: Schema,
): Collection<z.output<Schema>> {
  const key = (id: string) => `${name}:${id}`;
  const listRows = (range: KeyRange) => inTime(table.list(range, Date.now()), `listing ${name}`);
  const keyPages = (prefix: string, holding = '') =>
    pagesOf((range) => inTime(table.keys(range, holding, Date.now()), `listing ${name}`), {
      ...beginningWith(key(prefix)),
      limit: PAGE,
    });

  /** The value in the text of a row, if it fits the schema; otherwise that row is set aside. */
  async function check(id: string, text: string | undefined): Promise<z.output<Schema> | undefined> {
    if (text === undefined) return undefined;
    const value = valueIn(text);
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    log.error(
      { collection: name, id, problems: read.error.issues.map(({ path, code }) => ({ path, code })) },
      'a stored row cannot be read; it was moved to set-aside',
    );
    const [row] = await inTime(table.read([key(id)], Date.now()), `reading ${name}`);
    const ttl = row?.expires == null ? undefined : Math.max(1, row.expires - Date.now());
    await inTime(keyv.set(`set-aside:${key(id)}`, value, ttl), 'setting a row aside');
    await inTime(table.deleteUnchanged(key(id), text), `removing a row of ${name}`);
    return undefined;
  }

  return {
    key,
    row: (id, value, ttl) => ({ key: key(id), value, ...(ttl !== undefined && { ttl }) }),

    async get(id) {
      return check(id, await inTime(keyv.get<string>(key(id)), `reading ${name}`));
    },

    async getMany(ids) {
      const found: z.output<Schema>[] = [];
      for (let first = 0; first < ids.length; first += PAGE) {
        const page = ids.slice(first, first + PAGE);
        const texts = await inTime(keyv.getMany<string>(page.map(key)), `reading ${name}`);
        const checked = await Promise.all(page.map((id, index) => check(id, texts[index])));
        found.push(...checked.filter((value) => value !== undefined));
      }
      return found;
    },

    async set(id, value, ttl) {
      await inTime(keyv.set(key(id), value, ttl), `writing ${name}`);
    },

    async update(id, change) {
      for (let attempt = 0; attempt < CHANGES; attempt++) {
        const [row] = await inTime(table.read([key(id)], Date.now()), `reading ${name}`);
        const current = await check(id, row?.text);
        const changed = current === undefined ? undefined : change(current);
        if (!row || changed === undefined) return undefined;
        const written =
          changed === null
            ? table.deleteUnchanged(row.key, row.text)
            : table.replace(row.key, row.text, textOf(changed, row.expires));
        if (await inTime(written, `writing ${name}`)) return changed;
      }
      throw new StoreError(`writing ${name} failed: others write the same row all the time`);
    },

    async updateMany(ids, change) {
      for (let first = 0; first < ids.length; first += PAGE) {
        const keys = ids.slice(first, first + PAGE).map(key);
        const rows = await inTime(table.read(keys, Date.now()), `reading ${name}`);
        const changed = await Promise.all(
          rows.map(async (row) => {
            const value = await check(row.key.slice(name.length + 1), row.text);
            return value === undefined ? [] : [{ ...row, text: textOf(change(value), row.expires) }];
          }),
        );
        await inTime(table.upsert(changed.flat()), `writing ${name}`);
      }
    },

    async delete(id) {
      await inTime(keyv.delete(key(id)), `deleting from ${name}`);
    },

    async deleteAll(prefix) {
      for await (const page of keyPages(prefix)) {
        await inTime(keyv.deleteMany(page.map((row) => row.key)), `deleting from ${name}`);
      }
    },

    async ids({ prefix = '', holding } = {}) {
      const ids: string[] = [];
      for await (const page of keyPages(prefix, holding))
        ids.push(...page.map((row) => row.key.slice(key('').length)));
      return ids;
    },

    async list({ prefix = '', after, before, limit = Number.POSITIVE_INFINITY, backwards = false } = {}) {
      const range = {
        ...beginningWith(key(prefix)),
        ...(after !== undefined && { after: key(after) }),
        ...(before !== undefined && { before: key(before) }),
        limit: Math.min(PAGE, limit),
        backwards,
      };
      const listed: { id: string; value: z.output<Schema> }[] = [];
      for await (const page of pagesOf(listRows, range)) {
        for (const row of page) {
          const id = row.key.slice(name.length + 1);
          const value = await check(id, row.text);
          if (value !== undefined) listed.push({ id, value });
          if (listed.length >= limit) return listed;
        }
      }
      return listed;
    },
  };
}
