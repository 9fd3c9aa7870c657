import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { onTestFinished } from 'vitest';
import { createBucket } from '../../src/files/bucket.ts';
import type { FilePlace } from '../../src/files/file-place.ts';

/** The only key that s3rver knows. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const BUCKET = 'pictures';

/** An S3 server with one empty bucket. Ends with the test. */
export async function startS3(): Promise<{ endpoint: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  onTestFinished(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { endpoint: `http://127.0.0.1:${port}` };
}

export const bucketAt = (endpoint: string, prefix = ''): FilePlace =>
  createBucket({ bucket: BUCKET, prefix, endpoint, credentials: CREDENTIALS });
