import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

test('the example of the README works at its third attempt', async () => {
  const { stdout } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(stdout).toBe('worked at attempt 3\n');
});
