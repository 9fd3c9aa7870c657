import sharp from 'sharp';
import { DrawingError, type Picture } from '../engine.ts';
import type { ImageFile } from './answers.ts';
import type { ComfyClient } from './client.ts';
import { AttemptLost } from './failure.ts';

/** Larger than anything that can be asked for: 2048 pixels a side, enlarged twice in each direction. */
const MAX_PIXELS = 4096 ** 2;

/** Fetches the picture of a finished prompt. */
export async function fetchPicture(
  client: ComfyClient,
  [file]: readonly ImageFile[],
  signal: AbortSignal,
): Promise<Picture> {
  if (!file) throw new DrawingError('The graph ran to the end but saved no picture.');
  const bytes = await client.view(file, signal);
  if (!bytes) throw new AttemptLost('the picture is gone from the server');
  return develop(bytes);
}

/**
 * A PNG of nothing but the pixels: ComfyUI writes the whole graph, prompts and all, into what it saves. Decoding also
 * makes sure that it is a picture.
 */
async function develop(bytes: Uint8Array): Promise<Picture> {
  const { width, height } = await sizeOf(bytes);
  if (width * height > MAX_PIXELS) {
    throw new DrawingError(
      `The picture is too large: ${width} × ${height} pixels, where at most ${MAX_PIXELS} in all are allowed.`,
    );
  }
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .png({ compressionLevel: 6 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: 'image/png', width: info.width, height: info.height };
  } catch (error) {
    throw new AttemptLost('the picture is damaged', { cause: error });
  }
}

async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw new DrawingError('What the graph saved is not a picture.');
  }
}
