import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pretendWindows, silentLog, temporaryFolder } from '@darkroom/testing';
import { DAY_MS, HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Collection, ListOptions } from '../../src/storage/collection.ts';
import { openStore } from '../../src/storage/store.ts';
import { nameOf } from '../../src/storage/store-url.ts';
import { createStoreWorld } from '../support/store.ts';

const idsOf = async (collection: Collection<unknown>) => (await collection.list()).map(({ id }) => id);

const shape = z.object({ name: z.string(), age: z.number().optional() });

test('a row is there until it is deleted, also after a restart', async () => {
  const { store, reopen } = await createStoreWorld();
  const people = store.collection('people', shape);
  await people.set('ada', { name: 'Ada', age: 36 });
  expect(await people.get('ada')).toEqual({ name: 'Ada', age: 36 });
  const again = (await reopen()).collection('people', shape);
  expect(await again.get('ada')).toEqual({ name: 'Ada', age: 36 });
  await again.delete('ada');
  expect(await people.get('ada')).toBeUndefined();
  await again.delete('ada');
});

test('on Windows the URL of a file has a slash before the drive, which is not of the path', async () => {
  const [former, here] = [process.cwd(), await temporaryFolder()];
  process.chdir(here);
  onTestFinished(() => process.chdir(former));
  pretendWindows();
  const url = 'sqlite:///C:/data/bot.sqlite';
  const store = await openStore({ url, log: silentLog() });
  await store.close();
  // C: is no drive here, but a folder.
  expect(await readdir(join(here, 'C:/data'))).toContain('bot.sqlite');
  expect(nameOf(url)).toBe(join(here, 'C:/data/bot.sqlite'));
});

test('what the schema does not name is not read', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', z.looseObject({}));
  await people.set('ada', { name: 'Ada', from: 'an older version' });
  expect(await store.collection('people', shape).get('ada')).toEqual({ name: 'Ada' });
});

test('a row counts as absent after its time', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', shape);
  await people.set('ada', { name: 'Ada' }, 1);
  await people.set('bob', { name: 'Bob' }, HOUR_MS);
  await delay(20);
  expect(await people.get('ada')).toBeUndefined();
  expect(await idsOf(people)).toEqual(['bob']);
});

test('rows whose time is over are deleted at the start and once a day, and no others', async () => {
  const { store, reopen, sql, logged } = await createStoreWorld();
  const keys = async () =>
    (await sql("SELECT key FROM bot_rows WHERE key LIKE 'people:%' ORDER BY key")).map(({ key }) => key);
  const before = store.collection('people', shape);
  await before.set('kept', { name: 'Kim' });
  await before.set('later', { name: 'Lou' }, HOUR_MS);
  await Promise.all(Array.from({ length: 250 }, (_, nth) => before.set(`over-${nth}`, { name: 'Ola' }, 1)));
  await delay(20);

  const clock = createFakeClock();
  const people = (await reopen({ clock })).collection('people', shape);
  const left = ['people:kept', 'people:later'];
  await expect.poll(() => clock.asleep).toBe(1);
  expect(await keys()).toEqual(left);

  await people.set('over', { name: 'Ola' }, 1);
  await delay(20);
  await clock.advance(23 * HOUR_MS);
  expect(await keys()).toEqual([...left, 'people:over']);
  await clock.advance(HOUR_MS);
  await expect.poll(keys).toEqual(left);
  expect(logged).toEqual([]);
});

test('rows that cannot be deleted are reported and left for the next day', async () => {
  const { store, reopen, sql, logged } = await createStoreWorld();
  await store.collection('people', shape).set('ada', { name: 'Ada' }, 1);
  await delay(20);
  await sql("CREATE TRIGGER stuck BEFORE DELETE ON bot_rows BEGIN SELECT RAISE(ABORT, 'stuck'); END");
  const clock = createFakeClock();
  await reopen({ clock });
  await expect.poll(() => clock.asleep).toBe(1);
  expect(logged).toMatchObject([{ level: 40, msg: expect.stringContaining('stay a day') }]);
  await sql('DROP TRIGGER stuck');
  await clock.advance(DAY_MS);
  await expect.poll(() => sql("SELECT key FROM bot_rows WHERE key LIKE 'people:%'")).toEqual([]);
});

test('expired pictures, which may be large, are deleted one after the other', async () => {
  const { store, reopen, sql } = await createStoreWorld();
  const pictures = store.collection('pictures', z.string(), { pictures: true });
  const ids = ['first', 'second', 'stuck', 'last'];
  for (const id of ids) await pictures.set(id, 'pixels', HOUR_MS);
  // It undoes the whole statement.
  await sql(
    "CREATE TRIGGER stuck BEFORE DELETE ON bot_pictures WHEN OLD.key LIKE '%stuck' BEGIN SELECT RAISE(ABORT, 'stuck'); END",
  );
  for (const [nth, id] of ids.entries())
    await sql('UPDATE bot_pictures SET expires = ? WHERE key = ?', nth + 1, `pictures:${id}`);
  const clock = createFakeClock();
  await reopen({ clock });
  await expect.poll(() => clock.asleep).toBe(1);
  const left = await sql('SELECT key FROM bot_pictures ORDER BY key');
  expect(left.map(({ key }) => key)).toEqual(['pictures:last', 'pictures:stuck']);
});

test('a row that does not fit is reported, set aside as it was, and absent from then on', async () => {
  const { store, logged, sql } = await createStoreWorld();
  const people = store.collection('people', shape);
  await store.collection('people', z.unknown()).set('ada', { name: 36, secret: 'do not log me' });
  expect(await people.get('ada')).toBeUndefined();
  expect(logged).toMatchObject([
    { level: 50, collection: 'people', id: 'ada', problems: [{ path: ['name'] }] },
  ]);
  expect(JSON.stringify(logged)).not.toContain('do not log me');
  expect(await people.get('ada')).toBeUndefined();
  expect(logged).toHaveLength(1);
  const [aside] = await sql("SELECT value FROM bot_rows WHERE key = 'set-aside:people:ada'");
  expect(JSON.parse(`${aside?.value}`).value).toEqual({ name: 36, secret: 'do not log me' });
});

test('a row that is set aside is kept no longer than it would have been', async () => {
  const { store, sql } = await createStoreWorld();
  const people = store.collection('people', shape);
  const unknown = store.collection('people', z.unknown());
  const before = Date.now();
  await unknown.set('ada', { name: 36 }, HOUR_MS);
  await unknown.set('bob', { name: 37 });
  expect(await people.getMany(['ada', 'bob'])).toEqual([]);
  const aside = await sql("SELECT expires FROM bot_rows WHERE key LIKE 'set-aside:%' ORDER BY key");
  expect(aside.map(({ expires }) => expires)).toEqual([expect.any(Number), null]);
  expect(Number(aside[0]?.expires)).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  expect(Number(aside[0]?.expires)).toBeGreaterThanOrEqual(before + HOUR_MS - 1);
});

test.each(['', '{"value":', 'null', '[]', '"text"', '\u0000'])(
  'a row whose text is %j is set aside, and hides none of the others',
  async (text) => {
    const { store, sql } = await createStoreWorld();
    const people = store.collection('people', shape);
    await people.set('ada', { name: 'Ada' });
    await people.set('bob', { name: 'Bob' });
    await sql("UPDATE bot_rows SET value = ? WHERE key = 'people:ada'", text);
    expect(await people.get('ada')).toBeUndefined();
    expect(await idsOf(people)).toEqual(['bob']);
    expect(await people.get('bob')).toEqual({ name: 'Bob' });
  },
);

test('every id is known although rows are deleted while walking over them', async () => {
  const { store, sql } = await createStoreWorld();
  const numbers = store.collection('numbers', z.number());
  await numbers.set('first', 0);
  const values = Array.from({ length: 2_500 }, (_, index) => `('numbers:n${index}', '{"value":${index}}')`);
  await sql(`INSERT INTO bot_rows (key, value) VALUES ${values.join(',')}`);
  const ids = await idsOf(numbers);
  for (const id of ids.slice(0, 50)) await numbers.delete(id);
  expect(new Set(ids).size).toBe(2_501);
  expect(await idsOf(numbers)).toHaveLength(2_451);
});

test('collections do not see each other', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', z.string());
  const places = store.collection('places', z.string());
  await Promise.all([people.set('x', 'a person'), places.set('x', 'a place')]);
  await people.delete('x');
  expect(await places.get('x')).toBe('a place');
  expect(await idsOf(people)).toEqual([]);
  expect(await idsOf(places)).toEqual(['x']);
});

test('ids may hold whatever a key of Keyv may hold', async () => {
  const { store } = await createStoreWorld();
  const origins = store.collection('origins', z.string());
  const id = "https://images.example.com:8443/a'b%_";
  await origins.set(id, 'here');
  expect(await idsOf(origins)).toEqual([id]);
  expect(await origins.get(id)).toBe('here');
});

test('a store that cannot be opened is refused with one sentence that names it', async () => {
  const { folder, log } = await createStoreWorld();
  const file = join(folder, 'a-file');
  await writeFile(file, 'this is no database, and it is longer than the header of one');
  for (const path of [join(file, 'bot.sqlite'), file, folder]) {
    const refused = openStore({ url: `sqlite://${path}`, log });
    await expect(refused).rejects.toThrow(new RegExp(`^The store ${path} cannot be opened: .+$`));
  }
});

test('a closed store rejects', async () => {
  const { path, log } = await createStoreWorld();
  const store = await openStore({ url: `sqlite://${path}`, log });
  const people = store.collection('people', shape);
  await people.set('ada', { name: 'Ada' });
  await store.close();
  await expect(people.get('ada')).rejects.toThrow();
  await expect(people.set('bob', { name: 'Bob' })).rejects.toThrow();
});

test('what is listed comes in the order of its ids, from either end, and no more of it than wanted', async () => {
  const { store } = await createStoreWorld();
  const numbers = store.collection('numbers', z.number());
  await store.collection('numbers2', z.number()).set('a:1', 0);
  const ids = Array.from({ length: 2_200 }, (_, nth) => `a:${`${nth}`.padStart(4, '0')}`);
  await store.write([...ids, 'b:1', 'ä'].map((id, nth) => numbers.row(id, nth)));
  const listed = async (options: ListOptions) => (await numbers.list(options)).map(({ id }) => id);
  expect(await listed({ prefix: 'a:' })).toEqual(ids);
  expect(await listed({ prefix: 'a:', backwards: true })).toEqual(ids.toReversed());
  expect(await listed({ prefix: 'a:', backwards: true, limit: 1_500 })).toEqual(
    ids.toReversed().slice(0, 1_500),
  );
  expect(await listed({ prefix: 'b:' })).toEqual(['b:1']);
  expect((await listed({})).slice(-2)).toEqual(['b:1', 'ä']);
});

test('rows of one write are all there or none is, of which nobody but its caller hears', async () => {
  const { store, sql, logged } = await createStoreWorld();
  const people = store.collection('people', shape);
  await sql(
    "CREATE TRIGGER full BEFORE INSERT ON bot_rows WHEN NEW.key = 'people:bob' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const both = ['ada', 'bob'].map((id) => people.row(id, { name: id }));
  await expect(store.write(both)).rejects.toThrow('full');
  await expect(store.insert(both)).rejects.toThrow('full');
  expect(await idsOf(people)).toEqual([]);
  expect(logged).toEqual([]);
});

test('an insertion changes nothing that is there, and says so, also to the second of two at once', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', shape);
  const inserting = (name: string) => store.insert([people.row('ada', { name }), people.row(name, { name })]);
  expect(await Promise.all([inserting('Ada'), inserting('Ida')])).toEqual([true, false]);
  expect(await inserting('Eda')).toBe(false);
  expect(await people.get('ada')).toEqual({ name: 'Ada' });
});

test('an insertion that nobody waits for any more does not happen', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', shape);
  const gone = AbortSignal.abort(new Error('too late'));
  await expect(store.insert([people.row('ada', { name: 'Ada' })], gone)).rejects.toThrow('too late');
  expect(await idsOf(people)).toEqual([]);
});

test('of writes of one row that are asked for at once, the last counts', async () => {
  const { store } = await createStoreWorld();
  const people = store.collection('people', shape);
  await Promise.all(['Ada', 'Ida', 'Eda'].map((name) => people.set('ada', { name })));
  expect(await people.list()).toEqual([{ id: 'ada', value: { name: 'Eda' } }]);
});

test('a store of a newer version is refused, and the sentence says what to do', async () => {
  const { url, log, sql } = await createStoreWorld();
  await sql(`UPDATE bot_rows SET value = '{"value":99}' WHERE key = 'store:layout'`);
  await expect(openStore({ url, log })).rejects.toThrow(
    /^The store .+ cannot be opened: a newer version of Darkroom has written it \(layout 99.+Start that version/,
  );
});
