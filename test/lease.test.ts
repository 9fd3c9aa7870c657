import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeLease } from '../src/lease.ts';
import { createFakeClock } from './support/clock.ts';

/** A folder with a store in it, and a second name for each. */
async function leaseWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-lease-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'data'));
  await symlink('data', join(folder, 'linked'));
  await symlink(join('data', 'bot.sqlite'), join(folder, 'link.sqlite'));
  return {
    store: join(folder, 'data', 'bot.sqlite'),
    names: [join(folder, 'linked', 'bot.sqlite'), join(folder, 'link.sqlite')],
    take: async (path: string) => {
      const lease = await takeLease({ path, clock: createFakeClock({ jumps: true }) });
      onTestFinished(lease.release);
      return lease;
    },
  };
}

test.each([
  ['is there', true],
  ['is yet to be made', false],
])('a store that %s has one lease, whatever links lead to it', async (_, isThere) => {
  const { store, names, take } = await leaseWorld();
  if (isThere) await writeFile(store, '');
  const lease = await take(store);
  for (const name of names) await expect(take(name)).rejects.toThrow('Another Darkroom is running on');
  lease.release();
  for (const name of names) (await take(name)).release();
});
