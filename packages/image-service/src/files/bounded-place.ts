import { addAbortSignal, type Readable } from 'node:stream';
import { withTimeout } from '@darkroom/time';
import { type FilePlace, FilesUnavailable, type OpenFile, type PlaceProblem } from './file-place.ts';

/** For a whole file of some megabytes to be written, or read. */
const FILE_TIMEOUT_MS = 30_000;
/** For anything else. */
const TIMEOUT_MS = 10_000;

/** A place whose calls take no longer than they may. Each rejects with `FilesUnavailable`. */
export type BoundedPlace = ReturnType<typeof boundPlace>;

export function boundPlace(place: FilePlace, timeoutMs = TIMEOUT_MS) {
  const within = <Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    withTimeout(ms, work).catch((error: unknown) => {
      throw new FilesUnavailable(problemOf(error), error);
    });
  return {
    write: (name: string, bytes: Uint8Array): Promise<void> =>
      within(FILE_TIMEOUT_MS, (signal) => place.write(name, bytes, signal)),
    open: (name: string): Promise<OpenFile | undefined> =>
      within(timeoutMs, async (signal) => {
        const file = await place.open(name, signal);
        // Nobody waits for it any more.
        if (signal.aborted) file?.stream.destroy();
        return file;
      }),
    /** Its first bytes, `most` or a few more, or all of them; undefined where there is no such file. */
    read: (name: string, most = Infinity): Promise<Buffer | undefined> =>
      within(FILE_TIMEOUT_MS, async (signal) => {
        const file = await place.open(name, signal);
        return file && firstBytes(addAbortSignal(signal, file.stream), most);
      }),
    has: (name: string): Promise<boolean> => within(timeoutMs, (signal) => place.has(name, signal)),
    remove: (name: string): Promise<void> => within(timeoutMs, (signal) => place.remove(name, signal)),
    probe: (size: number): Promise<void> => within(FILE_TIMEOUT_MS, (signal) => place.probe(size, signal)),
  };
}

async function firstBytes(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of stream) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks, bytes);
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 507]);
const FORBIDDEN: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 401, 403]);

/** By the code of an error of the file system, or the status of a bucket's. */
function problemOf(error: unknown): PlaceProblem {
  const signs = error instanceof Error ? [Reflect.get(error, 'code'), Reflect.get(error, 'status')] : [];
  if (signs.some((sign) => FULL.has(sign))) return 'is full';
  return signs.some((sign) => FORBIDDEN.has(sign)) ? 'may not be written' : 'does not answer';
}
