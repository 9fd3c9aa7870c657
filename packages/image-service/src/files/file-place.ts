import type { Readable } from 'node:stream';

/** Bytes of a probe, unless a larger file did not fit. */
export const PROBE_SIZE = 4_096;

/** A file that is being read. Whoever does not read it to its end destroys the stream. */
export interface OpenFile {
  /** Bytes. */
  size: number;
  stream: Readable;
}

/**
 * Where the bytes of files are: a folder, or a bucket. Each call may reject with whatever error its place gives, and
 * ends when `signal` aborts. Nothing here lists pictures, so those of others in the same place are not touched.
 */
export interface FilePlace {
  /** For the operator: `the folder /data/pictures`. */
  readonly description: string;
  /** How often it is tried whether files can be written, in milliseconds. */
  readonly probeMs: number;
  /** Makes the place where it is missing, as far as that can be done. */
  create(signal: AbortSignal): Promise<void>;
  /** Writes or replaces a whole file; it is durable then. */
  write(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Undefined where there is no such file. */
  open(name: string, signal: AbortSignal): Promise<OpenFile | undefined>;
  has(name: string, signal: AbortSignal): Promise<boolean>;
  /** Does nothing where there is no such file. What a write that was cut off has left is removed as well. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Writes a file of this many bytes and removes it again, to see whether that can be done. */
  probe(size: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** What is wrong with the place, in words that go on from 'the place for pictures'. */
export type PlaceProblem =
  | 'is full'
  | 'may not be written'
  | 'is not the one that it was'
  | 'does not answer';

/** A file cannot be written, read or removed, because of the place that it is in. It may work again later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
  readonly problem: PlaceProblem;

  constructor(problem: PlaceProblem, cause: unknown) {
    super(`the place for pictures ${problem}`, { cause });
    this.problem = problem;
  }
}
