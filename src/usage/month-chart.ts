import { createThreads } from '@darkroom/process/threads';
import { withTimeout } from '@darkroom/time';
import type { Texts } from '../messages/locale/en.ts';
import { pictureOf } from './chart/usage-picture.ts';
import type { render } from './chart/worker.ts';
import type { MonthUsage } from './month-usage.ts';

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/usage/chart/worker.js' : './chart/worker.js',
  import.meta.url,
).href;
const IDLE_MS = 30_000;

/** How long one picture may take, with its turn. */
const TIMEOUT_MS = 30_000;

/** Pictures that are drawn or wait for their turn. */
const MOST = 8;

/** Draws months. What draws is loaded with the first one. */
export type MonthChart = ReturnType<typeof createMonthChart>;

export function createMonthChart() {
  const threads = createThreads<{ render: typeof render }>({
    worker: WORKER,
    maxThreads: 1,
    idleMs: IDLE_MS,
    most: MOST,
  });
  return {
    /** Resolves with a PNG. Rejects where it cannot be drawn, or too many are being drawn. `now`: as of `pictureOf`. */
    draw: (usage: MonthUsage, texts: Texts, options: { now: number }): Promise<Uint8Array> =>
      withTimeout(TIMEOUT_MS, (signal) =>
        threads.run('render', pictureOf(usage, texts, options), { signal }),
      ),
    close: threads.close,
  };
}
