import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { temporaryFolder } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { openToOthers } from '../src/open-to-others.ts';

test('a folder that others may come into is named, with what in it they may read', async () => {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  await writeFile(join(folder, 'secret.key'), '', { mode: 0o600 });
  await writeFile(join(folder, 'store.sqlite'), '');
  await chmod(join(folder, 'store.sqlite'), 0o644);
  await chmod(folder, 0o755);
  expect(await openToOthers(folder)).toEqual({
    open: [folder, join(folder, 'store.sqlite')],
    command: `chmod -R go= ${folder}`,
  });
  // By its whole path: who types the command may be in another folder.
  expect(await openToOthers(relative(process.cwd(), folder))).toEqual(await openToOthers(folder));
  await chmod(folder, 0o700);
  expect(await openToOthers(folder)).toBeUndefined();
  expect(await openToOthers(join(folder, 'missing'))).toBeUndefined();
});

test('a file that others may read is named beside a folder that they may not', async () => {
  const parent = join(await temporaryFolder(), `it's mine`);
  await mkdir(parent);
  const [settings, data] = [join(parent, '.env'), join(parent, 'data')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(settings, '');
  await chmod(settings, 0o644);
  expect(await openToOthers(settings, data)).toEqual({
    open: [settings],
    command: `chmod -R go= '${settings.replace("'", `'\\''`)}'`,
  });
});
