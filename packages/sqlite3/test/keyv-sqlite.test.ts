import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@darkroom/storage';
import { temporaryFolder, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { KeyvSqlite } from '@keyv/sqlite';
import { expect, onTestFinished, test } from 'vitest';

/** Keyv's own adapter on a new file. `locked` keeps others from writing to it until it is called. */
async function adapter({ busyTimeout }: { busyTimeout: number }) {
  const path = join(await temporaryFolder(), 'rows.sqlite');
  const keyv = new KeyvSqlite({ uri: `sqlite://${path}`, busyTimeout });
  await keyv.set('key', 'before');
  const other = openSqlite(path, { timeoutMs: 0 });
  onTestFinished(async () => {
    other.close();
    await keyv.close().catch(() => undefined);
  });
  return {
    keyv,
    lock() {
      other.exec('begin immediate');
      return () => other.exec('commit');
    },
  };
}

test('every method of the adapter works', async () => {
  const { keyv } = await adapter({ busyTimeout: WAIT_TIMEOUT_MS });
  await keyv.set('other', 'row');
  expect(await keyv.get('key')).toBe('before');
  expect(await keyv.getMany(['other', 'none', 'key'])).toEqual(['row', undefined, 'before']);
  expect(await keyv.has('key')).toBe(true);
  const rows = [];
  for await (const row of keyv.iterator()) rows.push(row);
  expect(rows).toEqual([
    ['key', 'before'],
    ['other', 'row'],
  ]);
  expect(await keyv.delete('key')).toBe(true);
  expect(await keyv.deleteMany(['key'])).toBe(false);
  await keyv.clear();
  expect(await keyv.has('other')).toBe(false);
});

test('while another process writes, a statement waits and the thread goes on', async () => {
  const { keyv, lock } = await adapter({ busyTimeout: WAIT_TIMEOUT_MS });
  const unlock = lock();
  const written = keyv.set('key', 'after');
  expect(await keyv.get('key')).toBe('before');
  unlock();
  await written;
  expect(await keyv.get('key')).toBe('after');
});

test('one that waited in vain, and one that is wrong, reject with the error of SQLite', async () => {
  const { keyv, lock } = await adapter({ busyTimeout: 20 });
  lock();
  await expect(keyv.set('key', 'after')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  await expect(keyv.query('select missing')).rejects.toThrow('no such column');
});

test('a file that cannot be opened is an error of the adapter, and of whoever asks it', async () => {
  const keyv = new KeyvSqlite({ uri: `sqlite://${tmpdir()}` });
  const heard = new Promise((resolve) => keyv.on('error', resolve));
  await expect(keyv.get('key')).rejects.toThrow('unable to open database file');
  expect(await heard).toMatchObject({ code: 'SQLITE_CANTOPEN' });
});

test('statements one after the other leave room for what else there is to do', async () => {
  const { keyv } = await adapter({ busyTimeout: WAIT_TIMEOUT_MS });
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 0);
  onTestFinished(() => clearInterval(turn));
  for (let read = 0; turns < 3; read++) {
    if (read > 100_000) throw new Error('nothing else gets its turn');
    await keyv.get('key');
  }
});

test('what waits for another process is written before the file is closed', async () => {
  const { keyv, lock } = await adapter({ busyTimeout: WAIT_TIMEOUT_MS });
  const unlock = lock();
  const written = keyv.set('key', 'after');
  const closed = keyv.close();
  unlock();
  await closed;
  await expect(written).resolves.not.toThrow();
});
