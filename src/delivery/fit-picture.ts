import { essentialBytes } from '@darkroom/image-api/bytes';
import type { JobPicture } from '../jobs/delivery-port.ts';

/** What is tried in turn until a picture fits: the best quality first, then fewer pixels. */
const ENCODINGS = [
  { format: 'webp', quality: 90, scale: 1 },
  { format: 'jpeg', quality: 85, scale: 1 },
  { format: 'jpeg', quality: 80, scale: 0.7 },
  { format: 'jpeg', quality: 75, scale: 0.5 },
] as const;

/**
 * `picture` as it is where it has at most `limit` bytes; encoded anew, WebP then JPEG, where it has more. Undefined
 * where nothing helps.
 */
export async function fitPicture(picture: JobPicture, limit: number): Promise<JobPicture | undefined> {
  if (picture.bytes.byteLength <= limit) return picture;
  if (limit <= 0) return undefined;
  for (const encoding of ENCODINGS) {
    // Not every format takes every picture: WebP ends at 16,383 pixels a side.
    const bytes = await encode(picture.bytes, encoding).catch(() => undefined);
    if (bytes && bytes.byteLength <= limit) {
      return { ...picture, bytes, contentType: `image/${encoding.format}` };
    }
  }
  return undefined;
}

/** As patient with damaged bytes as `checkPicture`, which has let them pass. */
async function encode(
  bytes: Uint8Array,
  { format, quality, scale }: (typeof ENCODINGS)[number],
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const image = sharp(essentialBytes(bytes), { failOn: 'error' });
  const { width } = await image.metadata();
  return image
    .resize({ width: Math.max(1, Math.round(width * scale)) })
    .toFormat(format, { quality })
    .toBuffer();
}
