import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

/** What a thread of `startNoise` does until it is ended: keeps a core busy, or the disk. */
export type Noise = 'computes' | 'writes and syncs';

const noise: Noise = workerData;
const BLOCK = Buffer.alloc(2 ** 20, 'noise');
const BLOCKS = 64;

function writeAndSync(): void {
  const path = join(tmpdir(), `darkroom-noise-${process.pid}`);
  const file = openSync(path, 'w');
  // It has no name any more, so that nothing of it stays behind, wherever the thread is ended.
  rmSync(path);
  for (let block = 0; block < BLOCKS; block += 1) {
    writeSync(file, BLOCK);
    fsyncSync(file);
  }
  closeSync(file);
}

while (noise === 'writes and syncs') writeAndSync();
while (noise === 'computes');
