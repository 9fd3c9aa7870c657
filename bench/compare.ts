import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Short and many: what else the machine does must not meet one side only. */
export const ROUNDS = 15;
const ROUND_MS = 300;

/** Requests that are sent in turn, again and again. */
export interface Load {
  origin: string;
  method: 'GET' | 'POST';
  requests: readonly { path: string; headers?: Record<string, string> }[];
  body?: string;
}

/**
 * How many requests a second are answered, by each in turn, so that other load on the machine affects both. `delays`
 * are the longest of the event loop, in milliseconds, while `measured` is asked. `settle` runs before every round.
 */
export async function compare(
  { baseline, measured }: { baseline: Load; measured: Load },
  { settle = async () => {} }: { settle?: () => Promise<void> } = {},
) {
  const runs: Record<'baseline' | 'measured' | 'delays', number[]> = {
    baseline: [],
    measured: [],
    delays: [],
  };
  const loads = { baseline: startLoad(baseline), measured: startLoad(measured) };
  try {
    await loads.baseline.perSecond();
    await loads.measured.perSecond();
    for (let round = 0; round < ROUNDS; round++) {
      await settle();
      runs.baseline.push(await loads.baseline.perSecond());
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      runs.measured.push(await loads.measured.perSecond());
      delay.disable();
      runs.delays.push(delay.max / 1e6);
    }
  } finally {
    await Promise.all([loads.baseline.stop(), loads.measured.stop()]);
  }
  return runs;
}

/** A thread for all rounds, so that its connections are open and its code is compiled. */
function startLoad(load: Load) {
  const worker = new Worker(new URL('./load.js', import.meta.url), { workerData: load });
  return {
    async perSecond(): Promise<number> {
      worker.postMessage(ROUND_MS);
      const [perSecond] = await once(worker, 'message');
      return Number(perSecond);
    },
    stop: () => worker.terminate(),
  };
}
