import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { acquireStoreLock } from '../../src/storage/store-lock.ts';

/** A folder with a store in it, and a second name for each. */
async function lockWorld() {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'data'));
  await symlink('data', join(folder, 'linked'));
  await symlink(join('data', 'bot.sqlite'), join(folder, 'link.sqlite'));
  return {
    store: join(folder, 'data', 'bot.sqlite'),
    names: [join(folder, 'linked', 'bot.sqlite'), join(folder, 'link.sqlite')],
    take: async (path: string) => {
      const lock = await acquireStoreLock({ path, clock: createFakeClock({ jumps: true }) });
      onTestFinished(lock.release);
      return lock;
    },
  };
}

test.each([
  ['is there', true],
  ['is yet to be made', false],
])('a store that %s has one lock, whatever links lead to it', async (_, isThere) => {
  const { store, names, take } = await lockWorld();
  if (isThere) await writeFile(store, '');
  const lock = await take(store);
  for (const name of names) await expect(take(name)).rejects.toThrow('Another Darkroom is running on');
  lock.release();
  for (const name of names) (await take(name)).release();
});
