import { raceAbort } from '@darkroom/time';
import { Piscina } from 'piscina';

type Wishes = Required<Pick<NonNullable<ConstructorParameters<typeof Piscina>[0]>, 'filename' | 'name'>> & {
  maxThreads: number;
  /** Milliseconds after which an idle thread ends. */
  idleTimeout: number;
};

/**
 * Worker threads, which begin with the first task. Where one cannot begin, or ends without a task, whoever waits is
 * told why, and the next task has new ones.
 */
export function createThreads(wishes: Wishes) {
  let opened: ReturnType<typeof open> | undefined;

  function open() {
    // With synchronous Atomics, an idle worker is stopped before its port has closed.
    const pool = new Piscina({ minThreads: 0, atomics: 'async', ...wishes });
    const broken = new AbortController();
    // Without a listener it would end the process; whoever waits would do so for a thread that never comes.
    pool.on('error', (error) => {
      broken.abort(error);
      if (opened?.pool === pool) opened = undefined;
      void pool.destroy();
    });
    return { pool, broken: broken.signal };
  }

  return {
    /** Resolves with what the worker returns. */
    run(task: object, options: Parameters<Piscina['run']>[1]): Promise<unknown> {
      opened ??= open();
      const { pool, broken } = opened;
      return raceAbort(broken, pool.run(task, options));
    },

    /** Ends what is being done. */
    close: async (): Promise<void> => opened?.pool.destroy(),
  };
}
