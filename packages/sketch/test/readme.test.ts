import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runReadmeExample } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';

test('the example of the README writes a PNG and reports its progress', async () => {
  const { stdout, folder } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(stdout).toMatch(/^\d+ with a preview$/m);
  const picture = await sharp(await readFile(join(folder, 'fox.png'))).metadata();
  expect(picture).toMatchObject({ format: 'png', width: 512, height: 512 });
});
