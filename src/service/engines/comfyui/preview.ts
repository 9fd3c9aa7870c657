import sharp from 'sharp';

const SIDE = 256;
const MAX_BYTES = 20_000;
const MAX_PIXELS = 4096 ** 2;

/** A preview frame as a WebP of at most 256 pixels and 20,000 bytes; undefined where it is no picture. */
export async function smallPreview(frame: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const small = sharp(frame, { limitInputPixels: MAX_PIXELS }).resize(SIDE, SIDE, {
      fit: 'inside',
      withoutEnlargement: true,
    });
    for (const quality of [72, 50, 30, 10]) {
      const bytes = await small.clone().webp({ quality }).toBuffer();
      if (bytes.length <= MAX_BYTES) return bytes;
    }
    return undefined;
  } catch {
    return undefined;
  }
}
