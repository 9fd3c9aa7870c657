import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, watchFlushes } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { writeNewFile } from '../src/index.ts';

test('a backup keeps its name where the machine loses power', async () => {
  const folder = await temporaryFolder();
  const flushed = await watchFlushes(folder);
  await writeNewFile(join(folder, 'backup'), (partial) => writeFile(partial, 'a fox'));
  expect(flushed).toEqual(['file: backup.partial', 'folder: backup']);
});
