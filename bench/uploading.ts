import { randomFillSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { z } from 'zod';

const CONNECTIONS = 2;
/** Of a picture that hardly compresses: 8 MiB. */
const SIDE = 1_672;

/** This thread uploads pictures of 8 MiB under one key, each another one, until it is ended; it says when it begins. */
const { origin, headers } = z
  .object({ origin: z.string(), headers: z.record(z.string(), z.string()) })
  .parse(workerData);

const pixels = randomFillSync(Buffer.alloc(3 * SIDE ** 2));
const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
const picture = new Uint8Array(await sharp(pixels, { raw }).png({ compressionLevel: 1 }).toBuffer());

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
