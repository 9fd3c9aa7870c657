import { createSemaphore, withTimeout } from '@darkroom/time';
import { Piscina } from 'piscina';
import type { UsagePicture } from './usage-picture.ts';

/** How long one picture may take, with its turn. */
const TIMEOUT_MS = 30_000;

/** Pictures that are drawn or wait for their turn. */
const MOST = 8;

/** An idle thread ends after it: the libraries that draw cost memory. */
const IDLE_MS = 30_000;

/** Draws what servers used, away from the event loop. */
export interface ChartPool {
  /** Resolves with a PNG. Rejects where too many wait already, where it takes too long, or with the reason of `signal`. */
  draw(picture: UsagePicture, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** Ends what is being drawn. */
  close(): Promise<void>;
}

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/usage/chart/worker.js' : './worker.js',
  import.meta.url,
).href;

export function createChartPool(): ChartPool {
  const pool = new Piscina({
    filename: WORKER,
    name: 'draw',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    // With synchronous Atomics, an idle worker is stopped before its port has closed.
    atomics: 'async',
  });
  const turns = createSemaphore(MOST);

  return {
    async draw(picture, { signal } = {}) {
      const release = turns.tryAcquire(1);
      if (!release) throw new Error(`${MOST} pictures are being drawn already`);
      try {
        // The worker's own return type.
        const run = (within: AbortSignal) => pool.run(picture, { signal: within }) as Promise<Uint8Array>;
        return await withTimeout(TIMEOUT_MS, run, { signal });
      } finally {
        release();
      }
    },
    close: () => pool.destroy(),
  };
}
