import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

test('a process that runs the tests again and again has one folder, and listens for its own end once', () => {
  const listeners = process.listenerCount('exit');
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(temporaryFolder()).toBe(folder);
  expect(temporaryFolder()).toBe(folder);
  expect(process.listenerCount('exit')).toBe(listeners + 1);
});
