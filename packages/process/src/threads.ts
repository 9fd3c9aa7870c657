import { createSemaphore, raceAbort } from '@darkroom/time';
import type { Piscina } from 'piscina';

interface ThreadsOptions {
  /** The address of the module that a thread runs: compiled, as Node loads no TypeScript. */
  worker: string;
  maxThreads: number;
  /** Milliseconds after which an idle thread ends: what it has loaded costs memory. */
  idleMs: number;
  /** How many tasks are done or wait for a thread; any number unless given. */
  most?: number;
}

/** As many tasks wait as may. */
export class ThreadsFullError extends Error {
  override readonly name = 'ThreadsFullError';
}

/** `broken` aborts with why no thread could begin. */
interface Pool {
  pool: Piscina;
  broken: AbortSignal;
}

/**
 * Worker threads for the functions that a module exports, `Works`. They begin with the first task, which loads what
 * runs them. Where one cannot begin, or ends without a task, whoever waits is told why, and the next task has new
 * ones. What could not be loaded stays so: Node remembers it.
 */
export function createThreads<Works extends Record<string, (task: never) => unknown>>({
  worker,
  maxThreads,
  idleMs,
  most = Number.POSITIVE_INFINITY,
}: ThreadsOptions) {
  const room = createSemaphore(most);
  let opened: Promise<Pool> | undefined;

  function open(): Promise<Pool> {
    const opening = import('piscina').then(({ Piscina }) => {
      const pool = new Piscina({
        filename: worker,
        minThreads: 0,
        maxThreads,
        idleTimeout: idleMs,
        // With synchronous Atomics, an idle worker is stopped before its port has closed.
        atomics: 'async',
        // The conditions under which packages are sources, which it cannot load.
        execArgv: [],
      });
      const broken = new AbortController();
      // Without a listener it would end the process; whoever waits would do so for a thread that never comes.
      pool.on('error', (error) => {
        broken.abort(error);
        if (opened === opening) opened = undefined;
        void pool.destroy();
      });
      return { pool, broken: broken.signal };
    });
    return opening;
  }

  return {
    /**
     * Resolves with what the function `name` of the worker returns. Rejects with what it throws, with an `AbortError`
     * where `signal` ends it with its thread, and with a `ThreadsFullError`.
     */
    async run<Name extends keyof Works & string>(
      name: Name,
      task: Parameters<Works[Name]>[0],
      options?: Pick<NonNullable<Parameters<Piscina['run']>[1]>, 'signal' | 'transferList'>,
    ): Promise<Awaited<ReturnType<Works[Name]>>> {
      const release = room.tryAcquire(1);
      if (!release) throw new ThreadsFullError(`${most} tasks wait for ${worker} already`);
      try {
        opened ??= open();
        const { pool, broken } = await opened;
        return await raceAbort(broken, pool.run(task, { ...options, name }));
      } finally {
        release();
      }
    },

    /** Ends what is being done. */
    async close(): Promise<void> {
      // What could not be loaded has nothing to close; whoever had a task was told.
      const threads = await opened?.catch(() => undefined);
      await threads?.pool.destroy();
    },
  };
}
