import { essentialBytes } from '@darkroom/image-api/bytes';
import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import sharp from 'sharp';
import { DrawingError, type DrawnPicture } from './engine.ts';
import type { Size } from './size.ts';

/** No request can ask for more. */
const MAX_PIXELS = PICTURE_LIMITS.resultSide ** 2;

/** How files of pixels begin, in hexadecimal: PNG, JPEG, WebP, GIF, TIFF, AVIF. */
const PIXELS = /^(89504e47|ffd8ff|52494646.{8}57454250|47494638|49492a00|4d4d002a|0000.{4}66747970)/;
const HEAD_BYTES = 12;

/**
 * What the decoder is given of a file. Throws where it holds no pixels: the decoder knows SVG, too, of which a few
 * kilobytes, which a stranger may have sent, draw for hours.
 */
export function pixelsIn(file: Uint8Array): Uint8Array {
  const head = Buffer.from(file.subarray(0, HEAD_BYTES)).toString('hex');
  if (!PIXELS.test(head)) throw new Error(`a file of pixels does not begin with ${head}`);
  return essentialBytes(file);
}

/** Bytes that cannot be decoded. */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture';
  /** Whether they are the beginning of a picture. */
  readonly damaged: boolean;

  constructor(damaged: boolean, cause: unknown) {
    super(damaged ? 'the picture is damaged' : 'this is not a picture', { cause });
    this.damaged = damaged;
  }
}

/**
 * A picture as it came from a machine, decoded and encoded as a PNG of nothing but pixels: engines write prompts and
 * whole graphs into the metadata of their files. Rejects with `UnreadablePicture`, and with a `DrawingError` for one
 * that is too large.
 */
export async function cleanPicture(file: Uint8Array): Promise<DrawnPicture> {
  const { bytes, width, height } = await examine(file);
  if (width * height > MAX_PIXELS) {
    throw new DrawingError(
      `The picture is too large: ${width} × ${height} pixels, where at most ${MAX_PIXELS} in all are allowed.`,
    );
  }
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .png({ compressionLevel: 6 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    throw new UnreadablePicture(true, error);
  }
}

/** The same of what somebody sent: where it is no picture, the `DrawingError` says whose. */
export async function receivedPicture(bytes: Uint8Array, sender: string): Promise<DrawnPicture> {
  try {
    return await cleanPicture(bytes);
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    throw new DrawingError(`What ${sender} sent is not a picture.`, { cause: error });
  }
}

async function examine(file: Uint8Array): Promise<Size & { bytes: Uint8Array }> {
  try {
    const bytes = pixelsIn(file);
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    return { bytes, width, height };
  } catch (error) {
    throw new UnreadablePicture(false, error);
  }
}
