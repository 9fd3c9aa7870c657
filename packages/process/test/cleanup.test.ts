import { captureLog } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createCleanup } from '../src/cleanup.ts';

test('what was opened is closed one after the other, the last first, and each once', async () => {
  const cleanup = createCleanup(captureLog().log);
  const closed: string[] = [];
  for (const name of ['service', 'store', 'bot']) {
    cleanup.add(async () => {
      closed.push(`${name} begins`);
      await new Promise(setImmediate);
      closed.push(`${name} ends`);
    });
  }
  await cleanup.run();
  await cleanup.run();
  expect(closed).toEqual(['bot', 'store', 'service'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('what fails to close is logged, and keeps nothing else open', async () => {
  const { log, lines } = captureLog();
  const cleanup = createCleanup(log);
  let closed = false;
  cleanup.add(() => {
    closed = true;
  });
  cleanup.add(() => Promise.reject(new Error('a connection broke')));
  cleanup.add(() => {
    throw new Error('the file is gone');
  });
  await cleanup.run();
  expect(closed).toBe(true);
  expect(lines).toEqual([
    expect.stringContaining('the file is gone'),
    expect.stringContaining('a connection broke'),
  ]);
});
