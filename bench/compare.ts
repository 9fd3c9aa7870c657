import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** Short and many: what else the machine does must not meet one side only. */
export const ROUNDS = 9;
const ROUND_MS = 350;

/** Requests that are sent in turn, again and again. */
export interface Load {
  origin: string;
  method: 'GET' | 'POST';
  requests: readonly { path: string; headers?: Record<string, string> }[];
  body?: string;
}

/**
 * How many requests a second are answered, by each in turn, so that other load on the machine affects both. `delays` are the
 * longest of the event loop, in milliseconds, while `measured` is asked. `settle` runs before every round.
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
  await rate(baseline);
  await rate(measured);
  for (let round = 0; round < ROUNDS; round++) {
    await settle();
    runs.baseline.push(await rate(baseline));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    runs.measured.push(await rate(measured));
    delay.disable();
    runs.delays.push(delay.max / 1e6);
  }
  return runs;
}

async function rate(load: Load): Promise<number> {
  const worker = new Worker(new URL('./load.js', import.meta.url), {
    workerData: { ...load, ms: ROUND_MS },
  });
  const [perSecond] = await once(worker, 'message');
  await worker.terminate();
  return Number(perSecond);
}
