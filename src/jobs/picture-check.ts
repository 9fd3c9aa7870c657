import sharp from 'sharp';
import { ServiceError } from '../errors.ts';

/** Four times the interface's largest picture: more is not decoded, however few bytes it has. */
const MOST_PIXELS = 4 * 2048 * 2048;

/** Decodes `bytes` once, whole. Throws `ServiceError` where they are no picture, a damaged one, or too large a one. */
export async function checkPicture(bytes: Uint8Array): Promise<void> {
  try {
    await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).stats();
  } catch (cause) {
    throw new ServiceError('blocked', 'the picture of a task cannot be decoded', { cause });
  }
}
