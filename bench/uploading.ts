import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { noisePicture } from './noise-picture.ts';

const CONNECTIONS = 2;

/** This thread uploads pictures of 8 MiB under one key, each another one, until it is ended; it says when it begins. */
const { origin, headers } = z
  .object({ origin: z.string(), headers: z.record(z.string(), z.string()) })
  .parse(workerData);

const picture = await noisePicture();

async function upload(connection: number): Promise<void> {
  for (let count = 0; ; count++) {
    const form = new FormData();
    // What follows the picture is no part of it, and makes the file another one.
    form.set('file', new Blob([picture, `${connection} ${count}`]), 'noise.png');
    const url = `${origin}/v1/index.php?endpoint=upload`;
    const answer = await fetch(url, { method: 'POST', headers, body: form });
    if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

parentPort?.postMessage('begins');
await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => upload(connection)));
