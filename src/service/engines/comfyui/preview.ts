import sharp from 'sharp';
import { encodePreview, PREVIEW_SIDE } from '../preview.ts';

const MAX_PIXELS = 4096 ** 2;

/** A frame of the server as a small preview; undefined where it is not a picture, or cannot be made small enough. */
export async function smallPreview(frame: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await encodePreview(
      sharp(frame, { limitInputPixels: MAX_PIXELS }).resize(PREVIEW_SIDE, PREVIEW_SIDE, {
        fit: 'inside',
        withoutEnlargement: true,
      }),
    );
  } catch {
    return undefined;
  }
}
