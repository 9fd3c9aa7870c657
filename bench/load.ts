import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';

/** Each has one request in flight: enough to keep the server busy. */
const CONNECTIONS = 128;

/** This thread sends the requests in turn, again and again, for `ms` milliseconds, and posts how many a second were answered. */
const load = z
  .object({
    origin: z.string(),
    method: z.enum(['GET', 'POST']),
    requests: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()).default({}) })),
    body: z.string().optional(),
    ms: z.number(),
  })
  .parse(workerData);

const pool = new Pool(load.origin, { connections: CONNECTIONS });
const end = performance.now() + load.ms;
let answered = 0;

async function sendUntilEnd(first: number): Promise<void> {
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
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => sendUntilEnd(index * 7)));
const seconds = (performance.now() - startedAt) / 1_000;
await pool.close();
parentPort?.postMessage(answered / seconds);
