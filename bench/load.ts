import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';

/** Each with one request on its way, as the clients of a service have: enough that neither side waits for the other. */
const CONNECTIONS = 128;

/** What to ask for: this thread asks one address after another, over and over, and answers with how many a second. */
const job = z
  .object({
    origin: z.string(),
    method: z.enum(['GET', 'POST']),
    requests: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()).default({}) })),
    body: z.string().optional(),
    ms: z.number(),
  })
  .parse(workerData);

const pool = new Pool(job.origin, { connections: CONNECTIONS });
const end = performance.now() + job.ms;
let answered = 0;

async function askUntilEnd(first: number): Promise<void> {
  for (let next = first; performance.now() < end; next++) {
    const request = job.requests[next % job.requests.length] ?? { path: '/' };
    const { statusCode, body } = await pool.request({
      ...request,
      method: job.method,
      body: job.body ?? null,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
    answered++;
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => askUntilEnd(index * 7)));
const seconds = (performance.now() - begun) / 1_000;
await pool.close();
parentPort?.postMessage(answered / seconds);
