import { expect, onTestFinished, test } from 'vitest';
import { createWorkerPool, PoolFullError } from '../../src/threads/worker-pool.ts';

/** A pool whose worker is not there. */
const pool = (most = 1) => {
  const made = createWorkerPool<{ work: (task: number) => number }>({
    worker: 'threads/not-there.js',
    threads: 1,
    most,
    timeoutMs: 60_000,
  });
  onTestFinished(made.close);
  return made;
};

test('what a thread cannot load is told to whoever has a task, and closing goes on', async () => {
  await expect(pool().run('work', 1)).rejects.toThrow('not-there.js');
});

test('more than may wait is refused at once', async () => {
  const full = pool(1);
  const first = full.run('work', 1).catch((error: unknown) => error);
  await expect(full.run('work', 2)).rejects.toBeInstanceOf(PoolFullError);
  await first;
});
