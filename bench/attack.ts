import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { z } from 'zod';

const CONNECTIONS = 50;

/**
 * This thread submits invalid graphs of 1 MB under one key, on 50 connections, until it is ended; it says when it
 * begins.
 */
const { origin, headers } = z
  .object({ origin: z.string(), headers: z.record(z.string(), z.string()) })
  .parse(workerData);

const nodes = Array.from({ length: 9_000 }, (_, id) => [
  id,
  { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
]);
const body = JSON.stringify({ prompt: Object.fromEntries(nodes) }).slice(0, 1_000_000);
const pool = new Pool(origin, { connections: CONNECTIONS });

async function attack(): Promise<void> {
  for (;;) {
    const answer = await pool
      .request({
        method: 'POST',
        path: '/v1/index.php?endpoint=image_generation',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      .catch(() => undefined);
    await answer?.body.dump().catch(() => undefined);
  }
}

parentPort?.postMessage('begins');
await Promise.all(Array.from({ length: CONNECTIONS }, attack));
