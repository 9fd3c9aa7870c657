import { setTimeout as delay } from 'node:timers/promises';
import { captureLog } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openStore, type Store } from '../../src/storage/store.ts';
import { postgresSchema, postgresSession } from '../support/postgres.ts';
import { createStoreWorld } from '../support/store.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/**
 * Two stores on the same rows, and how to run SQL on these. On SQLite the two are one: no other process opens the
 * file.
 */
interface Stores {
  one: Store;
  other: Store;
  sql(statement: string): Promise<unknown>;
}

async function onSqlite(): Promise<Stores> {
  const { store, sql } = await createStoreWorld();
  return { one: store, other: store, sql };
}

async function onPostgres(): Promise<Stores> {
  const url = await postgresSchema(server);
  const open = async () => {
    const store = await openStore({ url, log: captureLog().log });
    onTestFinished(store.close);
    return store;
  };
  const session = await postgresSession(url);
  return { one: await open(), other: await open(), sql: (statement) => session.query(statement) };
}

describe.each([
  { engine: 'SQLite', skipped: false, open: onSqlite },
  { engine: 'PostgreSQL (TEST_POSTGRES_URL)', skipped: server === '', open: onPostgres },
])('counters in $engine', ({ skipped, open }) => {
  test.skipIf(skipped)('two hundred at once from two processes get exactly what there is', async () => {
    const { one, other } = await open();
    const asked = Array.from({ length: 200 }, (_, nth) =>
      (nth % 2 === 0 ? one : other).take([
        { key: 'day:server', amount: 1, limit: 50, ttl: HOUR_MS },
        { key: `day:member:${nth % 20}`, amount: 1, limit: 4, ttl: HOUR_MS },
      ]),
    );
    const states = (await Promise.all(asked)).map(({ state }) => state);
    expect(states.filter((state) => state === 'taken')).toHaveLength(50);
    const members = Array.from({ length: 20 }, (_, nth) => `day:member:${nth}`);
    const counted = await other.counted(['day:server', ...members]);
    expect(counted[0]).toBe(50);
    expect(counted.slice(1).reduce((sum, one) => sum + one)).toBe(50);
    expect(Math.max(...counted.slice(1))).toBeLessThanOrEqual(4);
  });

  test.skipIf(skipped)(
    'what is given back late does not make others forget what they have taken',
    async () => {
      const { one } = await open();
      await one.take([{ key: 'shared', amount: 3, ttl: HOUR_MS }]);
      await one.take([{ key: 'shared', amount: -1, ttl: 1 }]);
      await delay(5);
      expect(await one.counted(['shared'])).toEqual([2]);
    },
  );

  test.skipIf(skipped)(
    'several counters are taken from all together or not at all, with the rows',
    async () => {
      const { one } = await open();
      const notes = one.collection('notes', z.string());
      const narrow = { key: 'narrow', amount: 2, limit: 3 };
      const asking = (id: string) =>
        one.take([{ key: 'wide', amount: 1, limit: 10 }, narrow], { rows: [notes.row(id, 'written')] });
      expect(await asking('a')).toEqual({ state: 'taken' });
      expect(await asking('b')).toEqual({ state: 'full', take: narrow });
      expect(await one.counted(['wide', 'narrow'])).toEqual([1, 2]);
      expect(await notes.list()).toEqual([{ id: 'a', value: 'written' }]);
    },
  );

  test.skipIf(skipped)('what is asked for again under the same row is counted once', async () => {
    const { one, other } = await open();
    const notes = one.collection('notes', z.string());
    const row = notes.row('same', 'written');
    const asked = [one, other, one].map((store) => store.take([{ key: 'all', amount: 1 }], { rows: [row] }));
    expect((await Promise.all(asked)).map(({ state }) => state).toSorted()).toEqual([
      'known',
      'known',
      'taken',
    ]);
    expect(await one.counted(['all'])).toEqual([1]);
  });

  test.skipIf(skipped)(
    'what is given back can be taken again, and no more than was taken comes back',
    async () => {
      const { one } = await open();
      const slot = { key: 'open', amount: 1, limit: 1 };
      await one.take([slot]);
      expect(await one.take([slot])).toEqual({ state: 'full', take: slot });
      expect(await one.counted(['open'])).toEqual([1]);
      await one.take([{ key: 'open', amount: -5 }]);
      expect(await one.counted(['open'])).toEqual([0]);
      expect(await one.take([slot])).toEqual({ state: 'taken' });
    },
  );

  test.skipIf(skipped)(
    'a counter is at nothing after its time, or where somebody has damaged it',
    async () => {
      const { one, sql } = await open();
      await one.take([{ key: 'short', amount: 3, ttl: 1 }]);
      await one.take([{ key: 'damaged', amount: 3 }]);
      await sql(`UPDATE bot_rows SET value = '{"value":"much"}' WHERE key = 'counters:damaged'`);
      await delay(20);
      expect(await one.counted(['short', 'damaged'])).toEqual([0, 0]);
      const again = ['short', 'damaged'].map((key) => ({ key, amount: 1, limit: 1, ttl: HOUR_MS }));
      expect(await one.take(again)).toEqual({ state: 'taken' });
    },
  );

  test.skipIf(skipped)('a burst takes while others write, and nothing of either is lost', async () => {
    const { one, other } = await open();
    const notes = other.collection('notes', z.string());
    const taking = Array.from({ length: 40 }, (_, nth) => one.take([{ key: `all:${nth % 3}`, amount: 1 }]));
    const writing = Array.from({ length: 40 }, (_, nth) => notes.set(`${nth}`, 'written'));
    await Promise.all([...taking, ...writing]);
    expect(await notes.list()).toHaveLength(40);
    expect(await one.counted(['all:0', 'all:1', 'all:2'])).toEqual([14, 13, 13]);
  });
});

test('a taking that fails takes nothing with it that others write meanwhile', async () => {
  const { store, sql } = await createStoreWorld();
  await sql(
    "CREATE TRIGGER full BEFORE INSERT ON bot_rows WHEN NEW.key = 'counters:full' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const notes = store.collection('notes', z.string());
  let confirmed = 0;
  for (let round = 0; round < 20; round++) {
    let failed = false;
    const failing = store.take([{ key: 'full', amount: 1 }], { rows: [notes.row(`with ${round}`, '')] });
    const refused = expect(failing)
      .rejects.toThrow('full')
      .finally(() => {
        failed = true;
      });
    for (let nth = 0; !failed; nth++) {
      await notes.set(`beside ${round}:${nth}`, 'written');
      confirmed += 1;
    }
    await refused;
  }
  const listed = await notes.list();
  expect(listed).toHaveLength(confirmed);
  expect(listed.every(({ id }) => id.startsWith('beside'))).toBe(true);
});
