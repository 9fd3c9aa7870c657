import { runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { serviceWorld } from './support/service.ts';

test('the example of the README makes a key with a login token and reads the balance', async () => {
  const { url, loginToken } = await serviceWorld({ credits: 10 });
  const env = { IMAGE_API_URL: url, LOGIN_TOKEN: loginToken };
  const { stdout } = await runReadmeExample(new URL('../README.md', import.meta.url), env);
  expect(stdout).toBe('10 credits\n');
});
