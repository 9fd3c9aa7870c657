import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';

/** Each has one request in flight: enough to keep the server busy. */
const CONNECTIONS = 128;

/**
 * This thread is told a number of milliseconds, sends the requests in turn for so long, and posts how many a second
 * were answered.
 */
const load = z
  .object({
    origin: z.string(),
    method: z.enum(['GET', 'POST']),
    requests: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()).default({}) })),
    body: z.string().optional(),
  })
  .parse(workerData);

const pool = new Pool(load.origin, { connections: CONNECTIONS });

/** How many were answered until `end`. */
async function sendUntil(end: number, first: number): Promise<number> {
  let answered = 0;
  for (let next = first; performance.now() < end; next++) {
    const request = load.requests[next % load.requests.length] ?? { path: '/' };
    const { statusCode, body } = await pool.request({
      ...request,
      method: load.method,
      body: load.body ?? null,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
    answered++;
  }
  return answered;
}

parentPort?.on('message', async (ms: number) => {
  const startedAt = performance.now();
  const senders = Array.from({ length: CONNECTIONS }, (_, index) => sendUntil(startedAt + ms, index * 7));
  const answered = (await Promise.all(senders)).reduce((sum, count) => sum + count, 0);
  parentPort?.postMessage((answered * 1_000) / (performance.now() - startedAt));
});
