import { type BatchOptions, createBatch } from '@darkroom/time';
import { textOf, valueIn } from './row-text.ts';
import type { Database, TableRow } from './table.ts';

export interface Take {
  /** Of the counter, with the period that it counts in. One that is not there stands at 0. */
  key: string;
  /** Added to the counter. A negative amount gives back: it is never refused, and no counter falls below 0. */
  amount: number;
  /** What the counter may hold with it at most; anything unless given. */
  limit?: number | undefined;
  /**
   * After how many milliseconds the counter is forgotten, counted from the latest take, which never brings that
   * forward; once it is at 0 unless given.
   */
  ttl?: number | undefined;
}

/**
 * `full`: nothing was added and nothing written, because `take` would pass its limit. `known`: likewise, because the
 * first row is there.
 */
export type TakeResult = { state: 'taken' } | { state: 'known' } | { state: 'full'; take: Take };

interface Request {
  /** Each counter once. */
  takes: readonly Take[];
  /** What is written with it. */
  rows: readonly TableRow[];
}

/** Where a counter lies among the rows. */
export const counterKey = (key: string): string => `counters:${key}`;

/**
 * Takes from counters, which no process does while another one does. What is asked for at one moment is decided in
 * one transaction, one request after the other, each as a whole or not at all. What could not begin within
 * `giveUpAfterMs` is not done.
 */
export function createTaking(database: Database, options: BatchOptions) {
  return createBatch(
    (requests: readonly Request[]) =>
      database.alone(async ({ rows }) => {
        const now = Date.now();
        const keys = requests.flatMap(({ takes, rows: [first] }) => [
          ...takes.map(({ key }) => counterKey(key)),
          ...(first ? [first.key] : []),
        ]);
        const standing = await rows.read([...new Set(keys)], now);
        const { results, written, counters } = decide(requests, standing, now);
        const used = counters.filter(({ value }) => value > 0);
        const unused = counters.filter(({ value }) => value === 0);
        if (written.length > 0) await rows.insert(written, now);
        if (used.length > 0) await rows.upsert(used.map(toRow));
        if (unused.length > 0) await rows.delete(unused.map(({ key }) => key));
        return results;
      }),
    options,
  );
}

interface Counter {
  key: string;
  value: number;
  expires: number | null;
}

const toRow = ({ key, value, expires }: Counter): TableRow => ({
  key,
  text: textOf(value, expires),
  expires,
});

/** What comes of each request, in their order, and what is then to be written. `standing`: the rows there are. */
function decide(requests: readonly Request[], standing: readonly TableRow[], now: number) {
  const known = new Set(standing.map(({ key }) => key));
  const values = new Map(standing.map(({ key, text }) => [key, countIn(text)]));
  const expiries = new Map(standing.map(({ key, expires }) => [key, expires]));
  const counters = new Map<string, Counter>();
  const written: TableRow[] = [];
  const usedOf = ({ key }: Take) => values.get(counterKey(key)) ?? 0;

  const results = requests.map(({ takes, rows }): TakeResult => {
    const [first] = rows;
    if (first && known.has(first.key)) return { state: 'known' };
    const full = takes.find(
      (take) => take.amount >= 0 && take.limit !== undefined && usedOf(take) + take.amount > take.limit,
    );
    if (full) return { state: 'full', take: full };
    for (const take of takes.filter(({ amount }) => amount !== 0)) {
      const key = counterKey(take.key);
      const value = Math.max(0, usedOf(take) + take.amount);
      values.set(key, value);
      const expires = take.ttl === undefined ? null : Math.max(expiries.get(key) ?? 0, now + take.ttl);
      expiries.set(key, expires);
      counters.set(key, { key, value, expires });
    }
    for (const { key } of rows) known.add(key);
    written.push(...rows);
    return { state: 'taken' };
  });
  return { results, written, counters: [...counters.values()] };
}

/** Where a counter stands. One that is not there, or was damaged, counts as 0. */
export function countIn(text: string | undefined): number {
  const value = text === undefined ? undefined : valueIn(text);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
