import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '@darkroom/process';
import { messageOf, OperatorError } from '@darkroom/process';
import { type SqliteUrl, sqlitePath } from '@darkroom/storage';
import { type Clock, systemClock, withTimeout } from '@darkroom/time';
import { KeyvSqlite } from '@keyv/sqlite';
import { Keyv, type KeyvOptions } from 'keyv';
import type { z } from 'zod';
import { deleteExpiredDaily } from './expired-rows.ts';

type Deserialize = NonNullable<KeyvOptions['deserialize']>;

/** How long one operation on the store may take. Without a bound, Keyv waits for a lost server for as long as it likes. */
const TIMEOUT_MS = 5_000;

/** Rows of one kind: id → value. Every function rejects where the store cannot be reached. */
export interface Collection<Value> {
  get(id: string): Promise<Value | undefined>;
  /** `ttlMs`: after how long the row counts as absent, and is deleted within a day; kept for ever unless given. */
  set(id: string, value: Value, ttlMs?: number): Promise<void>;
  delete(id: string): Promise<void>;
  /** Every id there is, collected before it is returned: rows may be deleted while walking over it. */
  ids(): Promise<string[]>;
}

/** The bot's memory behind Keyv, and the one place that knows it. */
export interface Store {
  /**
   * Values are checked with `schema` when they are read, because rows outlive the code that wrote them. One that does
   * not fit is logged, moved to `set-aside` as it is, and counts as absent from then on.
   */
  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>>;
  close(): Promise<void>;
}

/** `url`: `sqlite://path/to/file.sqlite`; the folder is made where it is missing. */
export async function openStore({
  url,
  log,
  clock = systemClock,
}: {
  url: SqliteUrl;
  log: Log;
  clock?: Clock;
}): Promise<Store> {
  const path = sqlitePath(url);
  const opened: Keyv[] = [];
  const closing = new AbortController();

  const open = (name: string, adapter = connect(url, name)): Keyv => {
    const keyv = new Keyv({
      store: adapter,
      namespace: name,
      throwOnErrors: true,
      serialize: JSON.stringify,
      deserialize: readRow,
    });
    keyv.on('error', (error) => log.error({ err: error, collection: name }, 'the store failed'));
    opened.push(keyv);
    return keyv;
  };
  let setAside: Keyv;
  try {
    await mkdir(dirname(path), { recursive: true });
    setAside = open('set-aside');
    await inTime(setAside.get('any'), `opening ${path}`);
  } catch (cause) {
    throw new OperatorError(`The store ${path} cannot be opened: ${messageOf(cause)}`, { cause });
  }

  return {
    collection(name, schema) {
      const adapter = connect(url, name);
      const keyv = open(name, adapter);
      void deleteExpiredDaily(adapter, { clock, log, signal: closing.signal });
      return {
        async get(id) {
          const value: unknown = await inTime(keyv.get(id), `reading ${name}`);
          if (value === undefined) return undefined;
          const read = schema.safeParse(value);
          if (read.success) return read.data;
          log.error(
            { collection: name, id, problems: read.error.issues.map(({ path, code }) => ({ path, code })) },
            'a stored row cannot be read; it was moved to set-aside',
          );
          await inTime(setAside.set(`${name}:${id}`, value), 'setting a row aside');
          await inTime(keyv.delete(id), `removing a row of ${name}`);
          return undefined;
        },
        async set(id, value, ttlMs) {
          await inTime(keyv.set(id, value, ttlMs), `writing ${name}`);
        },
        async delete(id) {
          await inTime(keyv.delete(id), `deleting from ${name}`);
        },
        ids: () => inTime(collectIds(keyv), `listing ${name}`),
      };
    },

    async close() {
      closing.abort();
      await Promise.all(opened.map((keyv) => inTime(keyv.disconnect(), 'closing the store')));
    },
  };
}

/** A table and a connection each: two Keyv on one adapter would share its namespace. */
function connect(uri: SqliteUrl, table: string): KeyvSqlite {
  const adapter = new KeyvSqlite({
    uri,
    table,
    busyTimeout: TIMEOUT_MS,
    iterationLimit: 1_000,
  });
  // Also gives a failed connection its handler, which would otherwise end the process; whoever asks next is told.
  adapter.query('PRAGMA journal_mode = WAL').catch(() => undefined);
  return adapter;
}

/** Keyv's own reader throws out of an iteration at the first damaged row; here the schema will refuse its text. */
const readRow: Deserialize = (text) => {
  try {
    const row: unknown = JSON.parse(text);
    // Keyv promises a value of its caller's type; here every value is checked before it is used.
    if (typeof row === 'object' && row !== null && 'value' in row) return row as { value: never };
  } catch {}
  return { value: text as never };
};

async function collectIds(keyv: Keyv): Promise<string[]> {
  const ids: string[] = [];
  for await (const [id] of keyv.iterator?.(undefined) ?? []) ids.push(id);
  return ids;
}

/** Keyv cannot be told to stop: what takes too long goes on, and is no longer waited for. */
const inTime = <Value>(operation: Promise<Value>, what: string): Promise<Value> =>
  withTimeout(TIMEOUT_MS, () => operation, { message: `${what} took over ${TIMEOUT_MS} ms` });
