import { localPath } from '@darkroom/storage';
import { importOptional } from '../optional-packages.ts';
import type { FilePlace } from './file-place.ts';
import { createFolder } from './folder.ts';

/** `s3://bucket` or `s3://bucket/prefix`; undefined for any other address. */
export function bucketIn(url: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(url) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.slice(1) };
}

/** The path in `file://data/pictures` or `file:///srv/pictures`; undefined for any other address. */
export function folderIn(url: string): string | undefined {
  const [, path] = /^file:\/\/(.+)/s.exec(url) ?? [];
  return path === undefined ? undefined : localPath(path);
}

/** What is installed where pictures are in a bucket. */
export const BUCKET_PACKAGES = ['@aws-sdk/client-s3@3'];

interface PlaceSettings {
  /** `file://…` or `s3://…`. */
  url: string;
  /** Of a bucket that is not Amazon's. */
  endpoint?: string | undefined;
  /** Of a bucket. */
  region?: string | undefined;
}

/**
 * Opens the place behind `PICTURES_URL`. Rejects with an `OperatorError` where what only a bucket needs is not
 * installed.
 */
export async function openPlace({ url, endpoint, region }: PlaceSettings): Promise<FilePlace> {
  const folder = folderIn(url);
  if (folder !== undefined) return createFolder(folder);
  const bucket = bucketIn(url);
  if (!bucket) throw new Error('PICTURES_URL is neither a folder nor a bucket');
  const { createBucket } = await importOptional(() => import('./bucket.ts'), {
    setting: 'PICTURES_URL',
    packages: BUCKET_PACKAGES,
  });
  return createBucket({ ...bucket, endpoint, region });
}
