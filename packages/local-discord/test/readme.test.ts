import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked, runReadmeExample } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the example of the README runs', async () => {
  const { stdout } = await runReadmeExample(README);
  expect(stdout).toBe('Hello, member!\n');
});

test('it does so as well where the package was installed from npm, with nothing around it', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'local-discord-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await installPacked(['local-discord', '@darkroom/time'], folder, context, ['discord.js@14']);
  const { stdout } = await runReadmeExample(README, {}, folder);
  expect(stdout).toBe('Hello, member!\n');
});
