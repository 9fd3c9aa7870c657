import { join } from 'node:path';
import { captureLog } from '@darkroom/testing';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/store.ts';
import { copyFixture } from './fixture.ts';

/** The store of 0.1.0, and its file as another program sees it. */
async function oldStore() {
  const path = join(await copyFixture(), 'darkroom.sqlite');
  const database = new Database(path);
  onTestFinished(() => void database.close());
  return {
    sql: database,
    open: () => openStore({ url: `sqlite://${path}`, log: captureLog().log }),
    /** Every row by its key, whichever table it is in. */
    rows: (tables: readonly string[]) =>
      new Map(
        tables
          .flatMap((table) =>
            database.prepare<[], { key: string; value: string }>(`select key, value from ${table}`).all(),
          )
          .map(({ key, value }) => [key, value]),
      ),
  };
}

const OLD = ['jobs', 'keys', 'origins', 'pictures', 'setaside'];

test('an upgrade keeps every row of 0.1.0 as it is, once', async () => {
  const { sql, open, rows } = await oldStore();
  sql.prepare("insert into jobs (key, value) values ('jobs:9', 'damaged')").run();
  const before = rows(OLD);
  await (await open()).close();
  const after = rows(['bot_rows', 'bot_pictures']);
  for (const [key, value] of before) expect(after.get(key), key).toBe(value);
  await (await open()).close();
  expect(rows(['bot_rows', 'bot_pictures'])).toEqual(after);
});

test('an upgrade that does not come to its end leaves everything to the next one', async () => {
  const { sql, open, rows } = await oldStore();
  const before = rows(OLD);
  sql.exec('create view bot_pictures as select 1');
  await expect(open()).rejects.toThrow('cannot be opened');
  expect(rows(OLD)).toEqual(before);
  sql.exec('drop view bot_pictures');
  await (await open()).close();
  expect(rows(['bot_rows']).has('store:layout')).toBe(true);
});
