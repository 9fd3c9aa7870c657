import sharp from 'sharp';
import { DrawingError, type DrawnPicture } from '../engine.ts';
import type { ComfyClient } from './client.ts';
import { PromptLost } from './errors.ts';
import type { ImageFile } from './responses.ts';

/** More than any request can ask for: 2048 × 2048 pixels, enlarged twice in each direction. */
const MAX_PIXELS = 4096 ** 2;

/** Fetches the picture of a finished prompt. */
export async function fetchPicture(
  client: ComfyClient,
  [file]: readonly ImageFile[],
  signal: AbortSignal,
): Promise<DrawnPicture> {
  if (!file) throw new DrawingError('The graph ran to the end but saved no picture.');
  const bytes = await client.view(file, signal);
  if (!bytes) throw new PromptLost('the picture is gone from the server');
  return reencode(bytes);
}

/**
 * Decodes the picture and encodes it as a PNG of nothing but pixels: ComfyUI writes the whole graph, prompts included,
 * into the metadata of the files that it saves.
 */
async function reencode(bytes: Uint8Array): Promise<DrawnPicture> {
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
    throw new PromptLost('the picture is damaged', { cause: error });
  }
}

async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw new DrawingError('What the graph saved is not a picture.');
  }
}
