import type { Sharp } from 'sharp';

/** Longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 256;
const MAX_BYTES = 20_000;

/** A preview as WebP: the best that has at most 20,000 bytes; undefined where even the worst has more. */
export async function encodePreview(preview: Sharp): Promise<Uint8Array | undefined> {
  for (const quality of [72, 50, 30, 10]) {
    const bytes = await preview.clone().webp({ quality }).toBuffer();
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  return undefined;
}
