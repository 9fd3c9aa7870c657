import { createThreads } from '@darkroom/process/threads';
import { createSemaphore } from '@darkroom/time';

const IDLE_MS = 30_000;

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/' : '../', import.meta.url);

/** As much waits already as may. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';
}

interface WorkerPoolOptions {
  /** The module that a thread runs, from src: `usage/chart/worker.js`. */
  worker: string;
  threads: number;
  /** How much is done or waits for its turn. */
  most: number;
}

/** Work away from the event loop, bounded in number. */
export function createWorkerPool<Works extends Record<string, (task: never) => unknown>>({
  worker,
  threads: maxThreads,
  most,
}: WorkerPoolOptions) {
  const room = createSemaphore(most);
  const threads = createThreads<Works>({ worker: new URL(worker, FOLDER).href, maxThreads, idleMs: IDLE_MS });
  return {
    /** As `run` of its threads, and rejects with a `PoolFullError`. */
    async run<Name extends keyof Works & string>(
      name: Name,
      task: Parameters<Works[Name]>[0],
      signal: AbortSignal,
    ): Promise<Awaited<ReturnType<Works[Name]>>> {
      const release = room.tryAcquire(1);
      if (!release) throw new PoolFullError(`${most} tasks wait for ${worker} already`);
      try {
        return await threads.run(name, task, { signal });
      } finally {
        release();
      }
    },

    close: threads.close,
  };
}
