import { installPacked, requiredNames, runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);
const PRINTED = 'worked at attempt 3 [ 30000, 60000 ]\n';

test('the example of the README works at its third attempt', async () => {
  expect((await runReadmeExample(README)).stdout).toBe(PRINTED);
});

test('it does so as well where the package was installed as the README says, also for require', async (context) => {
  const folder = await installPacked(README, context);
  expect((await runReadmeExample(README, {}, folder)).stdout).toBe(PRINTED);
  expect(await requiredNames('@darkroom/time', folder)).toContain('retry');
  expect(await requiredNames('@darkroom/time/testing', folder)).toContain('createFakeClock');
});
