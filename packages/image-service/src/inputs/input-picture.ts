import { availableParallelism } from 'node:os';
import { pictureTypeOf } from '@darkroom/image-api';
import { essentialBytes } from '@darkroom/image-api/bytes';
import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import { createOneByOne, createSemaphore } from '@darkroom/time';
import sharp from 'sharp';
import { ApiError } from '../api-error.ts';
import type { Size } from '../engines/size.ts';
import { sha256Of } from '../sha256.ts';
import { isAnimatedPng, plainPng } from './png.ts';
import type { Stay } from './room.ts';

const { bytes: MAX_BYTES, pixels: MAX_PIXELS, side: SIDE } = PICTURE_LIMITS;

const TYPES: ReadonlySet<unknown> = new Set(PICTURE_LIMITS.types);

/** For one picture; the largest takes a second. */
const TIMEOUT_SECONDS = 20;

/**
 * Pictures that one process decodes at once: each takes one of Node's four threads, which also read and write files,
 * and a core, of which one is left to whoever else asks.
 */
const decoding = createSemaphore(availableParallelism() > 2 ? 2 : 1);
/** Of each account: however many somebody brings, everybody else waits for one of them. */
const bringing = createOneByOne<number>();

const inTurn = <Result>({ accountId, stay }: Bringing, work: () => Promise<Result>): Promise<Result> => {
  const signal = stay?.signal;
  return bringing.hold(accountId, () => decoding.hold(1, work, { signal }), { signal });
};

export interface Bringing {
  accountId: number;
  /** In the room for what comes in: its signal ends the wait for a turn. */
  stay?: Stay | undefined;
}

/** A file that somebody brings, by what its head says. */
export type BroughtPicture = Awaited<ReturnType<typeof examinePicture>>;

/** As it is kept: turned upright, of nothing but pixels, of an animation the first frame. */
export interface DecodedPicture extends Size {
  /** A PNG. */
  bytes: Buffer;
}

/** Looks at a file without decoding it. Rejects with an API error that says what to do where it is not taken. */
export async function examinePicture(file: Uint8Array) {
  if (file.length === 0) throw unreadable('This file is empty: it has 0 bytes. Send the picture again.');
  if (file.length > MAX_BYTES) throw fileTooLarge();
  const type = pictureTypeOf(file);
  if (!TYPES.has(type)) {
    throw unreadable(
      'A picture has to be a PNG, a JPEG or a WebP, and this file is none of them, whatever its name says. Save it as one of them.',
    );
  }
  const essential = essentialOf(file);
  const { pages = 1, width, height } = await headOf(essential);
  const isAnimated = pages > 1 || (type === 'image/png' && isAnimatedPng(file));
  if (width * height > MAX_PIXELS) {
    throw new ApiError(
      'picture_too_large',
      `This picture has ${width} × ${height} pixels, and may have at most ${MAX_PIXELS} in all. Make it smaller.`,
      { details: { max: MAX_PIXELS } },
    );
  }
  if (Math.max(width, height) * SIDE.min > Math.min(width, height) * SIDE.max) {
    throw unreadable(
      `This picture has ${width} × ${height} pixels: one side may be at most ${SIDE.max / SIDE.min} times as long as the other. Crop it.`,
    );
  }
  let decoded: Promise<DecodedPicture> | undefined;
  return {
    /** Of its bytes, in hexadecimal. */
    sha256: await sha256Of(file),
    /** Whether it moves: only its first frame is kept. */
    isAnimated,
    /** In which ways it is not kept as it was brought, by the size in which it is. */
    warnings: (kept: Size): string[] => [
      ...(isAnimated ? ['an animation: only its first frame is kept'] : []),
      ...resized({ width, height }, kept),
    ],
    /** Once, in the turn of an account. Rejects with an API error where it cannot be decoded. */
    decoded(bringing: Bringing): Promise<DecodedPicture> {
      decoded ??= inTurn(bringing, () => decode(essential, { width, height }));
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

export const fileTooLarge = (): ApiError =>
  new ApiError(
    'picture_too_large',
    `A picture may have at most ${MAX_BYTES / 1024 ** 2} MiB. Save it smaller, or as a JPEG.`,
    { details: { max: MAX_BYTES } },
  );

function essentialOf(file: Uint8Array): Uint8Array {
  try {
    return essentialBytes(file);
  } catch (error) {
    throw unreadable(
      'This picture is made of more parts than any program writes: it is not read. Save it again.',
      error,
    );
  }
}

async function headOf(file: Uint8Array): Promise<Size & { pages?: number | undefined }> {
  try {
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw damaged(error);
  }
}

/** In the colours of screens, without profile, EXIF and comments. */
async function decode(file: Uint8Array, size: Size): Promise<DecodedPicture> {
  const picture = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({
    seconds: TIMEOUT_SECONDS,
  });
  const plain = isTooLong(size) || isTooShort(size) ? undefined : plainPng(file);
  try {
    if (plain) {
      // For the last pixel all others are decoded: it shows whether they can be, and takes no memory for them.
      await picture
        .extract({ left: size.width - 1, top: size.height - 1, width: 1, height: 1 })
        .raw()
        .toBuffer();
      return { bytes: plain, width: size.width, height: size.height };
    }
    const upright = picture.autoOrient();
    const sized = isTooShort(size)
      ? upright.resize(SIDE.min, SIDE.min, { fit: 'outside' })
      : upright.resize(SIDE.max, SIDE.max, { fit: 'inside', withoutEnlargement: true });
    const { data, info } = await sized.png({ compressionLevel: 3 }).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    throw damaged(error);
  }
}

const isTooLong = ({ width, height }: Size): boolean => Math.max(width, height) > SIDE.max;
const isTooShort = ({ width, height }: Size): boolean => Math.min(width, height) < SIDE.min;

/** How a picture is kept in another size than it was brought in, where it is. */
function resized(brought: Size, { width, height }: Size): string[] {
  if (!isTooLong(brought) && !isTooShort(brought)) return [];
  const bound = isTooLong(brought) ? `at most ${SIDE.max}` : `at least ${SIDE.min}`;
  return [`a picture is kept with ${bound} pixels on each side: this one has ${width} × ${height}`];
}

const unreadable = (message: string, cause?: unknown): ApiError =>
  new ApiError('picture_unreadable', message, { cause });

const damaged = (cause: unknown): ApiError =>
  unreadable('This picture is damaged or not complete: it cannot be decoded. Save or send it again.', cause);
