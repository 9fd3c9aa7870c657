import { expect, onTestFinished, test } from 'vitest';
import { createWorkerPool, PoolFullError } from '../../src/threads/worker-pool.ts';

test('more than may wait is refused at once', async () => {
  const { run, close } = createWorkerPool<{ work: (task: number) => number }>({
    worker: 'threads/not-there.js',
    threads: 1,
    most: 1,
  });
  onTestFinished(close);
  const { signal } = new AbortController();
  const first = run('work', 1, signal).catch((error: unknown) => error);
  await expect(run('work', 2, signal)).rejects.toBeInstanceOf(PoolFullError);
  await first;
});
