import { type Log, messageOf } from '@darkroom/process';
import { type Clock, collectUntil, systemClock, withTimeout } from '@darkroom/time';
import { Keyv } from 'keyv';
import type { z } from 'zod';
import { type Collection, createCollection, type InTime, type Row, StoreError } from './collection.ts';
import { counterKey, countIn, createTaking, type Take, type TakeResult } from './counters.ts';
import { deleteExpiredDaily } from './expired-rows.ts';
import { createKeyvAdapter, expiryAfter } from './keyv-adapter.ts';
import { openDatabase } from './open-database.ts';
import { textOf } from './row-text.ts';
import type { StoreUrl } from './store-url.ts';
import type { Table, TableRow } from './table.ts';

/**
 * How long one operation on the store may take. Without a bound, it would wait for a lost server for as long as that
 * likes.
 */
const TIMEOUT_MS = 5_000;

/** How often deleted rows are wiped again while somebody reads the file. */
const WIPE_AGAIN_MS = 2_000;

/** Rows of one statement at most: it has to end within the time of one operation, whatever they hold. */
const BATCHES = { max: 500, collect: collectUntil.endOfMicrotasks };

/** The bot's memory behind Keyv, and the one place that knows it. */
export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * The folder of a `sqlite://` URL is made where it is missing. An operation that takes longer than `timeoutMs` fails.
 * Rejects with a sentence for the operator.
 */
export async function openStore({
  url,
  log,
  clock = systemClock,
  timeoutMs = TIMEOUT_MS,
}: {
  url: StoreUrl;
  log: Log;
  clock?: Clock;
  timeoutMs?: number;
}) {
  const database = await openDatabase(url, { log, busyTimeoutMs: timeoutMs });
  const closing = new AbortController();
  /** An operation that takes too long fails here, although it may go on. */
  const inTime: InTime = (operation, what) =>
    withTimeout(timeoutMs, () => operation, { message: `no answer within ${timeoutMs} ms` }).catch(
      (cause: unknown) => {
        throw new StoreError(`${what} failed: ${messageOf(cause)}`, { cause });
      },
    );

  // A write that has waited for so long is dropped: by then the row may hold something newer.
  const batches = { ...BATCHES, giveUpAfterMs: timeoutMs };

  const open = (table: Table) => {
    const adapter = createKeyvAdapter(table, batches);
    const keyv = new Keyv({
      store: adapter,
      // The collection's name stands in the key.
      useKeyPrefix: false,
      throwOnErrors: true,
      serialize: JSON.stringify,
    });
    return { keyv, adapter, table };
  };
  async function wipeLater(): Promise<boolean> {
    do await clock.sleep(WIPE_AGAIN_MS, closing.signal);
    while (!(await database.wipeDeleted()));
    return true;
  }

  const rows = open(database.rows);
  const pictures = open(database.pictures);
  const take = createTaking(database, batches);
  void deleteExpiredDaily(database, { clock, log, signal: closing.signal });

  return {
    /** See `createCollection`. `pictures`: its rows are large, and lie apart from the others. */
    collection<Schema extends z.ZodType>(
      name: string,
      schema: Schema,
      options: { pictures?: boolean } = {},
    ): Collection<z.output<Schema>> {
      const { keyv, table } = options.pictures ? pictures : rows;
      return createCollection({ keyv, table, inTime, log }, name, schema);
    },

    /** Writes all of these rows or none. Durable when it resolves, like every write. */
    async write(written: readonly Row[]): Promise<void> {
      await inTime(rows.keyv.setMany([...written]), 'writing rows');
    },

    /**
     * Writes those rows whose key is not there, all or none, and says whether the first one was among them. `signal`:
     * nobody waits for it any more, and it need not begin.
     */
    insert(inserted: readonly Row[], signal?: AbortSignal): Promise<boolean> {
      return inTime(rows.adapter.insert(inserted.map(toTableRow), signal), 'writing new rows');
    },

    /**
     * Takes from counters, and writes rows with that where the first one's key is not there: all of it or nothing,
     * exactly, however many ask and from however many processes. `signal`: as of `insert`.
     */
    take(
      takes: readonly Take[],
      { rows: written = [], signal }: { rows?: readonly Row[]; signal?: AbortSignal } = {},
    ): Promise<TakeResult> {
      return inTime(take({ takes, rows: written.map(toTableRow) }, signal), 'counting');
    },

    /** Where these counters stand, in the order of `keys`. */
    async counted(keys: readonly string[]): Promise<number[]> {
      const texts = await inTime(rows.keyv.getMany<string>(keys.map(counterKey)), 'reading counters');
      return texts.map(countIn);
    },

    /** Deletes all of these rows or none. */
    async delete(keys: readonly string[]): Promise<void> {
      await inTime(rows.keyv.deleteMany([...keys]), 'deleting rows');
    },

    /**
     * Leaves nothing in an SQLite file of rows that were deleted or overwritten before. Where somebody reads the file
     * now, such as a backup, that is done as soon as they have ended, and not waited for: `wiped` resolves with whether
     * it was. Rejects as the database does, at the first attempt; what fails later is logged.
     */
    async wipeDeleted(): Promise<{ wiped: Promise<boolean> }> {
      if (await database.wipeDeleted()) return { wiped: Promise.resolve(true) };
      const wiped = wipeLater().catch((error: unknown) => {
        if (!closing.signal.aborted)
          log.warn({ err: error }, 'deleted rows may still stand in the file beside the store');
        return false;
      });
      return { wiped };
    },

    async close(): Promise<void> {
      closing.abort();
      await inTime(database.close(), 'closing the store');
    },
  };
}

function toTableRow({ key, value, ttl }: Row): TableRow {
  const expires = expiryAfter(ttl);
  return { key, text: textOf(value, expires), expires };
}
