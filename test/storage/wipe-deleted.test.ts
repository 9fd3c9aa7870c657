import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { KeyvSqlite } from '@keyv/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createStoreWorld } from '../support/store.ts';

const SECRET = `v1.0123abcd.${'S'.repeat(120)}`;

/** A store with a row of text, and which of its files hold that text. */
async function worldWithSecret() {
  const world = await createStoreWorld();
  const texts = world.store.collection('texts', z.string());
  // Rows enough that the one in question lies on a page with others.
  for (let nth = 0; nth < 50; nth++) await texts.set(`other-${nth}`, 'o'.repeat(150));
  await texts.set('secret', SECRET);
  async function holders(): Promise<string[]> {
    const folder = dirname(world.path);
    const found = [];
    for (const name of await readdir(folder)) {
      if ((await readFile(join(folder, name))).includes('S'.repeat(120))) found.push(name);
    }
    return found;
  }
  expect(await holders()).not.toEqual([]);
  return { ...world, texts, holders };
}

test.each([
  ['deleted', 'DELETE'],
  ['written over', 'UPDATE'],
])('of a row that was %s nothing stays in any file of the store once it is wiped', async (_, how) => {
  const { store, texts, holders } = await worldWithSecret();
  if (how === 'DELETE') await texts.delete('secret');
  else await texts.set('secret', 'short');
  await store.wipeDeleted();
  expect(await holders()).toEqual([]);
  expect(await texts.list()).toHaveLength(how === 'DELETE' ? 50 : 51);
});

test('while somebody reads the store nobody waits for it to be wiped, and it is as soon as they end', async () => {
  const { store, path, texts, holders } = await worldWithSecret();
  const reader = new KeyvSqlite({ uri: `sqlite://${path}`, table: 'bot_rows', busyTimeout: WAIT_TIMEOUT_MS });
  onTestFinished(() => reader.close());
  await reader.query('BEGIN');
  await reader.query('SELECT * FROM bot_rows');
  await texts.delete('secret');
  await store.wipeDeleted();
  await texts.set('another', 'is written meanwhile');
  await reader.query('COMMIT');
  await expect.poll(holders, { timeout: WAIT_TIMEOUT_MS }).toEqual([]);
});
