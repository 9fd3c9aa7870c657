import { createSemaphore, raceAbort } from '@darkroom/time';
import type { Piscina } from 'piscina';

/** An idle thread ends after it: what it has loaded costs memory. */
const IDLE_MS = 30_000;

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/src/' : '../', import.meta.url);

/** As much waits already as may. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';
}

/** `broken` aborts with why no thread could begin. */
interface Threads {
  pool: Piscina;
  broken: AbortSignal;
}

interface WorkerPoolOptions {
  /** The module that a thread runs, from src: `usage/chart/worker.js`. */
  worker: string;
  threads: number;
  /** How much is done or waits for its turn. */
  most: number;
}

/** Work away from the event loop, bounded in number. The first task loads what runs threads. */
export function createWorkerPool<Works extends Record<string, (task: never) => unknown>>({
  worker,
  threads,
  most,
}: WorkerPoolOptions) {
  const room = createSemaphore(most);
  let loading: Promise<Threads> | undefined;

  async function load(): Promise<Threads> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: new URL(worker, FOLDER).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // With synchronous Atomics, an idle worker is stopped before its port has closed.
      atomics: 'async',
      // The conditions under which packages are sources, which it cannot load.
      execArgv: [],
    });
    const broken = new AbortController();
    pool.on('error', (error) => {
      // It would wait for a thread that never comes.
      broken.abort(error);
      loading = undefined;
      void pool.destroy();
    });
    return { pool, broken: broken.signal };
  }

  return {
    /**
     * Resolves with what the function `name` of the worker returns. Rejects with a `PoolFullError`, or with an
     * `AbortError` where `signal` ends it with its thread.
     */
    async run<Name extends keyof Works & string>(
      name: Name,
      task: Parameters<Works[Name]>[0],
      signal: AbortSignal,
    ): Promise<Awaited<ReturnType<Works[Name]>>> {
      const release = room.tryAcquire(1);
      if (!release) throw new PoolFullError(`${most} tasks wait for ${worker} already`);
      try {
        loading ??= load();
        const { pool, broken } = await loading;
        return await raceAbort(broken, pool.run(task, { name, signal }));
      } finally {
        release();
      }
    },

    /** Ends what is being done. */
    async close(): Promise<void> {
      // What could not be loaded has nothing to close; whoever had a task was told.
      const threads = await loading?.catch(() => undefined);
      await threads?.pool.destroy();
    },
  };
}
