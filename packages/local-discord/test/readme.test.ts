import { installPacked, requiredNames, runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the example of the README runs', async () => {
  const { stdout } = await runReadmeExample(README);
  expect(stdout).toBe('Hello, member!\n');
});

test('it does so as well where the package was installed as the README says, also for require', async (context) => {
  const folder = await installPacked(README, context);
  const { stdout } = await runReadmeExample(README, {}, folder);
  expect(stdout).toBe('Hello, member!\n');
  expect(await requiredNames('local-discord', folder)).toContain('startDiscord');
});
