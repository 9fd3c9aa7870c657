import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

test('the example of the README opens the secret that it has sealed, and stores it encrypted', async () => {
  const { stdout, folder } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(stdout).toBe('sk-123\n');
  expect(await readFile(join(folder, 'data', 'example.sqlite'), 'latin1')).not.toContain('sk-123');
});
