import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { messageOf } from '@darkroom/process';
import mime from 'mime';
import { sha256Of } from '../sha256.ts';
import type { FilePlace } from './file-place.ts';

/** Each probe is two requests that a provider charges for. */
const PROBE_MS = 60_000;
const CONNECTION_TIMEOUT_MS = 5_000;
/** Of a socket without traffic; a caller who reads a picture slowly still reads some of it in this time. */
const IDLE_MS = 60_000;
/** More than there are connections of callers: slow readers of pictures keep no picture from being written. */
const SOCKETS = 512;

interface BucketOptions {
  bucket: string;
  /** Before every name, without slashes at its ends; may be empty. */
  prefix: string;
  /** Address of a service that is not Amazon's; its buckets are in the path. */
  endpoint?: string | undefined;
  /** Where it is not in the profile that the SDK reads. */
  region?: string | undefined;
  /** What the SDK finds in `AWS_…` variables, a profile or the machine's role, unless given. */
  credentials?: S3ClientConfig['credentials'];
}

/** Files in a bucket of Amazon S3, or of a service that speaks its language. Loaded only where there is one. */
export function createBucket({ bucket, prefix, endpoint, region, credentials }: BucketOptions): FilePlace {
  const sockets = { maxSockets: SOCKETS };
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
    // Checksums that only Amazon's own servers are sure to know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: IDLE_MS,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
  });
  client.middlewareStack.add(
    (next) => async (given) => {
      await hashBody(given.request);
      return next(given);
    },
    { step: 'build', name: 'hashBody' },
  );
  const at = (name: string) => ({ Bucket: bucket, Key: prefix === '' ? name : `${prefix}/${name}` });

  return {
    description: `the bucket ${bucket}${prefix && `/${prefix}`}${endpoint === undefined ? '' : ` at ${endpoint}`}`,
    probeMs: PROBE_MS,

    /** The operator makes it, with the rights and the region that it is to have. */
    async create() {},

    async write(name, bytes, abortSignal) {
      const type = mime.getType(name) ?? undefined;
      const put = new PutObjectCommand({ ...at(name), Body: bytes, ContentType: type });
      await client.send(put, { abortSignal }).catch(plainly);
    },

    async open(name, abortSignal) {
      const found = await client.send(new GetObjectCommand(at(name)), { abortSignal }).catch(ignoreMissing);
      if (!found) return undefined;
      // In Node the SDK gives Node's own stream.
      if (!(found.Body instanceof Readable)) throw new Error('the bucket gave no stream');
      return { size: found.ContentLength ?? 0, stream: found.Body };
    },

    has: (name, abortSignal) =>
      client
        .send(new HeadObjectCommand(at(name)), { abortSignal })
        .then(() => true)
        .catch((error: unknown) => ignoreMissing(error) ?? false),

    async remove(name, abortSignal) {
      await client.send(new DeleteObjectCommand(at(name)), { abortSignal }).catch(plainly);
    },

    /** Under one name for all processes: each write replaces the whole object. */
    async probe(size, abortSignal) {
      const put = new PutObjectCommand({ ...at('probe'), Body: new Uint8Array(size) });
      await client.send(put, { abortSignal }).catch(plainly);
      await client.send(new DeleteObjectCommand(at('probe')), { abortSignal }).catch(plainly);
    },

    close: () => client.destroy(),
  };
}

/** What is written is part of the signature; the SDK would hash tens of megabytes in one piece in this thread. */
async function hashBody(request: unknown): Promise<void> {
  if (typeof request !== 'object' || request === null || !('body' in request && 'headers' in request)) return;
  const { body, headers } = request;
  if (body instanceof Uint8Array)
    Object.assign(Object(headers), { 'x-amz-content-sha256': await sha256Of(body) });
}

const status = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** An answer for a HEAD has no body, so its error has no name but the status. */
function ignoreMissing(error: unknown): undefined {
  const missing =
    error instanceof S3ServiceException && error.name !== 'NoSuchBucket' && status(error) === 404;
  if (!missing) plainly(error);
}

/** The words of an error, and its status or code: what else the SDK puts into one names keys and signatures. */
function plainly(error: unknown): never {
  const name = error instanceof Error ? error.name : 'Error';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  throw Object.assign(new Error(`${name}: ${messageOf(error)}`), { code, status: status(error) });
}
