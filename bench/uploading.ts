import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { noisePicture, SIDE_OF_2_MIB } from './noise-picture.ts';

/**
 * This thread uploads a picture of 2 MiB, each another one, every `paceMs` milliseconds for each of `accounts`,
 * whether or not the one before is answered, until it is ended; it says when it begins.
 */
const { origin, accounts, paceMs } = z
  .object({
    origin: z.string(),
    accounts: z.array(z.record(z.string(), z.string())),
    paceMs: z.number(),
  })
  .parse(workerData);

const picture = await noisePicture(SIDE_OF_2_MIB);
const url = `${origin}/v1/index.php?endpoint=upload`;

async function upload(headers: Record<string, string>): Promise<void> {
  const form = new FormData();
  // What follows the picture is no part of it, and makes the file another one, in every round.
  form.set('file', new Blob([picture, `${performance.timeOrigin + performance.now()}`]), 'noise.png');
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

parentPort?.postMessage('begins');
for (let count = 0; ; count++) {
  void upload(accounts[count % accounts.length] ?? {});
  await delay(paceMs / accounts.length);
}
