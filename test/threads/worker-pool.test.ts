import { expect, onTestFinished, test } from 'vitest';
import { createWorkerPool, PoolFullError } from '../../src/threads/worker-pool.ts';

const NEVER = new AbortController().signal;

/** A pool of one thread, whose worker is not there unless given. */
const pool = (most = 1, worker = 'threads/not-there.js') => {
  const made = createWorkerPool<{ work: (task: number) => number }>({
    worker,
    threads: 1,
    most,
  });
  onTestFinished(made.close);
  return made;
};

test('what a thread cannot load is told to whoever has a task, and closing goes on', async () => {
  await expect(pool().run('work', 1, NEVER)).rejects.toThrow('not-there.js');
});

test('more than may wait is refused at once', async () => {
  const full = pool(1);
  const first = full.run('work', 1, NEVER).catch((error: unknown) => error);
  await expect(full.run('work', 2, NEVER)).rejects.toBeInstanceOf(PoolFullError);
  await first;
});

test('what nobody waits for any more ends', async () => {
  const cause = new Error('nobody waits');
  const working = pool(1, 'requests/inspection/worker.js').run('work', 1, AbortSignal.abort(cause));
  await expect(working).rejects.toMatchObject({ name: 'AbortError', cause });
});
