import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the example of the README says what is wrong with a setting', async () => {
  const refused = runReadmeExample(README, { PORT: 'http' });
  await expect(refused).rejects.toThrow('PORT: expected a whole number from 0 to 65535');
});

test('the example of the README keeps secrets out of its log', async () => {
  const { stdout } = await runReadmeExample(README, { PORT: '0' });
  expect(stdout).toContain('starts on 0 with [key]');
});
