import { availableParallelism } from 'node:os';
import { essentialBytes, PICTURE_LIMITS, pictureTypeOf } from '@darkroom/image-api';
import { createSemaphore, type Semaphore } from '@darkroom/time';
import sharp, { type OutputInfo } from 'sharp';
import { ApiError } from '../api-error.ts';
import type { Size } from '../engines/size.ts';
import { sha256Of } from '../sha256.ts';
import { isAnimatedPng } from './animated-png.ts';
import type { Stay } from './room.ts';

const { bytes: MAX_BYTES, pixels: MAX_PIXELS, side: SIDE } = PICTURE_LIMITS;

/** Formats that are decoded; any other is a decoder more that strangers may feed. */
const TYPES: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** For one picture; the largest takes a second. */
const TIMEOUT_SECONDS = 20;

/**
 * Pictures that one process decodes at once: each takes one of Node's four threads, which also read and write files,
 * and a core, of which one is left to whoever else asks.
 */
const decoding = createSemaphore(availableParallelism() > 2 ? 2 : 1);
/** The turns of accounts that have something to decode, and how much each has. */
const turnsOf = new Map<number, { own: Semaphore; asking: number }>();

/** One at a time of each account: however many somebody brings, everybody else waits for one of them. */
async function inTurn<Result>({ accountId, stay }: Bringing, work: () => Promise<Result>): Promise<Result> {
  const signal = stay?.signal;
  const turns = turnsOf.get(accountId) ?? { own: createSemaphore(1), asking: 0 };
  turnsOf.set(accountId, turns);
  turns.asking += 1;
  try {
    return await turns.own.hold(1, () => decoding.hold(1, work, { signal }), { signal });
  } finally {
    turns.asking -= 1;
    if (turns.asking === 0) turnsOf.delete(accountId);
  }
}

/** Who brings a picture. */
export interface Bringing {
  accountId: number;
  /** In the room for what comes in: its signal ends the wait for a turn. */
  stay?: Stay | undefined;
}

/** A file that somebody brings, by what its head says. */
export interface BroughtPicture {
  /** Of its bytes, in hexadecimal. */
  sha256: string;
  /** Whether it moves: only its first frame is kept. */
  isAnimated: boolean;
  /** In which ways it is not kept as it was brought, by the size in which it is. */
  warnings(kept: Size): string[];
  /** Once, in the turn of an account. Rejects with an API error where it cannot be decoded. */
  decoded(bringing: Bringing): Promise<DecodedPicture>;
}

/** As it is kept: turned upright, of nothing but pixels, of an animation the first frame. */
export interface DecodedPicture extends Size {
  /** A PNG. */
  bytes: Buffer;
}

/** Looks at a file without decoding it. Rejects with an API error that says what to do where it is not taken. */
export async function examinePicture(file: Uint8Array): Promise<BroughtPicture> {
  if (file.length === 0) throw unreadable('This file is empty: it has 0 bytes. Send the picture again.');
  if (file.length > MAX_BYTES) throw fileTooLarge();
  const type = pictureTypeOf(file);
  if (!TYPES.has(type)) {
    throw unreadable(
      'A picture has to be a PNG, a JPEG or a WebP, and this file is none of them, whatever its name says. Save it as one of them.',
    );
  }
  const essential = essentialBytes(file);
  const { width, height, pages = 1 } = await headOf(essential);
  const isAnimated = pages > 1 || (type === 'image/png' && isAnimatedPng(file));
  if (width * height > MAX_PIXELS) {
    throw new ApiError(
      'picture_too_large',
      `This picture has ${width} × ${height} pixels, and may have at most ${MAX_PIXELS} in all. Make it smaller.`,
      { details: { max: MAX_PIXELS } },
    );
  }
  let decoded: Promise<DecodedPicture> | undefined;
  return {
    sha256: await sha256Of(file),
    isAnimated,
    warnings: (kept) => [
      ...(isAnimated ? ['an animation: only its first frame is kept'] : []),
      ...(Math.max(width, height) > SIDE.max ? [shrunkTo(kept)] : []),
    ],
    decoded(bringing) {
      decoded ??= inTurn(bringing, () => decode(essential));
      return decoded;
    },
  };
}

/**
 * A file as it arrives, whole. `announced`: the `content-length` that it came with, in bytes, of the file and what
 * stands around it. Rejects with an API error where there is more of it than a picture may have.
 */
export async function bytesOfFile(file: AsyncIterable<unknown>, announced?: string): Promise<Buffer> {
  // One piece of memory, filled as it comes: the file exists once.
  const bytes = Buffer.alloc(Math.min(Number(announced ?? MAX_BYTES), MAX_BYTES));
  let length = 0;
  for await (const chunk of file) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a file is read as bytes');
    if (length + chunk.length > bytes.length) throw fileTooLarge();
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** The error for a file of too many bytes. */
export const fileTooLarge = (): ApiError =>
  new ApiError(
    'picture_too_large',
    `A picture may have at most ${MAX_BYTES / 1024 ** 2} MiB. Save it smaller, or as a JPEG.`,
    { details: { max: MAX_BYTES } },
  );

async function headOf(file: Uint8Array): Promise<Size & { pages?: number | undefined }> {
  try {
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw damaged(error);
  }
}

async function decode(file: Uint8Array): Promise<DecodedPicture> {
  const { data, info } = await toPng(file);
  const { width, height } = info;
  if (Math.min(width, height) >= SIDE.min) return { bytes: data, width, height };
  const isShrunk = Math.max(width, height) === SIDE.max;
  throw unreadable(
    isShrunk
      ? `This picture is too long: made smaller it has ${width} × ${height} pixels, and needs at least ${SIDE.min} on each side. Crop it.`
      : `This picture has ${width} × ${height} pixels, and needs at least ${SIDE.min} on each side. Choose a larger one.`,
  );
}

/** In the colours of screens, without profile, EXIF and comments. */
async function toPng(file: Uint8Array): Promise<{ data: Buffer; info: OutputInfo }> {
  try {
    return await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize(SIDE.max, SIDE.max, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 3 })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw damaged(error);
  }
}

const shrunkTo = ({ width, height }: Size): string =>
  `a picture is kept with at most ${SIDE.max} pixels on each side: this one has ${width} × ${height}`;

const unreadable = (message: string, cause?: unknown): ApiError =>
  new ApiError('picture_unreadable', message, { cause });

const damaged = (cause: unknown): ApiError =>
  unreadable('This picture is damaged or not complete: it cannot be decoded. Save or send it again.', cause);
