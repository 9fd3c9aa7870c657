import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openToOthers } from '../src/open-to-others.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

test('a folder that others may come into is named, with what in it they may read', async () => {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  await writeFile(join(folder, 'secret.key'), '', { mode: 0o600 });
  await writeFile(join(folder, 'store.sqlite'), '');
  await chmod(join(folder, 'store.sqlite'), 0o644);
  await chmod(folder, 0o755);
  expect(await openToOthers(folder)).toEqual([folder, join(folder, 'store.sqlite')]);
  await chmod(folder, 0o700);
  expect(await openToOthers(folder)).toEqual([]);
  expect(await openToOthers(join(folder, 'missing'))).toEqual([]);
});
