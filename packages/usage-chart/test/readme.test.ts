import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runReadmeExample } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';

test('the example of the README draws a month', async () => {
  const { folder } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const picture = await sharp(await readFile(join(folder, 'usage.png'))).metadata();
  expect(picture).toMatchObject({ format: 'png', width: 1600, height: 1216 });
});
