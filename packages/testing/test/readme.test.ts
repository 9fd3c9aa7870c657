import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

test('the example of the README sleeps for a minute at once', async () => {
  const { stdout } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(stdout).toBe('a minute has passed\n[ 60000 ]\n');
});
