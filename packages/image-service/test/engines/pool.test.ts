import { setImmediate } from 'node:timers/promises';
import { silentLog, watchHeap } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createServerPool } from '../../src/engines/servers/pool.ts';
import { createServer } from '../../src/engines/servers/server.ts';

/** As many as there are in five hours of waiting. */
const POLLS = 18_000;

test('a server that has no room for hours is waited for in no more memory', async () => {
  const waiting = new AbortController();
  let polls = 0;
  const clock = {
    now: () => 0,
    async sleep() {
      await setImmediate();
      polls += 1;
      if (polls === POLLS) waiting.abort(new Error('hours are over'));
    },
  };
  const server = createServer({
    name: 'a server',
    kind: 'Full',
    calls: {
      check: async () => undefined,
      queueLength: async () => 1,
      models: async () => [],
      close: async () => undefined,
    },
    mend: () => '',
    clock,
    log: silentLog(),
  });
  const pool = createServerPool({ servers: [server], hasRoom: () => false, clock });
  const grown = watchHeap();
  await expect(pool.acquire([], waiting.signal)).rejects.toThrow('hours are over');
  expect(grown()).toBeLessThan(1024 ** 2);
  expect(pool.isDrawing()).toBe(false);
});
