import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

test('the example of the README waits for a line', async () => {
  const { stdout } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(stdout).toBe('ready\n');
});
