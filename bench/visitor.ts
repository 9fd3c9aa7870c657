import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';
import { percentile } from './statistics.ts';

/**
 * This thread asks for one thing after another for `ms` milliseconds, and posts how long 99 of 100 answers took at
 * most.
 */
const { origin, path, headers, ms } = z
  .object({ origin: z.string(), path: z.string(), headers: z.record(z.string(), z.string()), ms: z.number() })
  .parse(workerData);

const VISITORS = 8;
const PAUSE_MS = 10;

const pool = new Pool(origin, { connections: VISITORS });
const end = performance.now() + ms;
const times: number[] = [];

async function visit(): Promise<void> {
  while (performance.now() < end) {
    const before = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    times.push(performance.now() - before);
    await delay(PAUSE_MS);
  }
}

await Promise.all(Array.from({ length: VISITORS }, visit));
await pool.close();
parentPort?.postMessage(percentile(times, 99));
