import { expect, test } from 'vitest';
import { createParts } from '../src/parts.ts';
import { keptLog } from './support/kept-log.ts';

test('parts are closed one after the other, the last first, and each once', async () => {
  const parts = createParts(keptLog().log);
  const closed: string[] = [];
  for (const name of ['service', 'store', 'bot']) {
    parts.add(async () => {
      closed.push(`${name} begins`);
      await new Promise(setImmediate);
      closed.push(`${name} ends`);
    });
  }
  await parts.close();
  await parts.close();
  expect(closed).toEqual(['bot', 'store', 'service'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a part that fails to close is logged, and keeps no other open', async () => {
  const { log, lines } = keptLog();
  const parts = createParts(log);
  let closed = false;
  parts.add(() => {
    closed = true;
  });
  parts.add(() => Promise.reject(new Error('a connection broke')));
  parts.add(() => {
    throw new Error('the file is gone');
  });
  await parts.close();
  expect(closed).toBe(true);
  expect(lines).toEqual([
    expect.stringContaining('the file is gone'),
    expect.stringContaining('a connection broke'),
  ]);
});
