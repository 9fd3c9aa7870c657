import sharp from 'sharp';
import type { Picture } from '../../jobs/delivery.ts';

/** A whole message may weigh 25 MiB: Discord's documentation, "Create Message". The rest is for the words. */
const MESSAGE_BYTES = 24 * 1024 * 1024;

/** What is tried in turn until a picture fits: the best quality first, then fewer pixels. */
const ATTEMPTS = [
  { format: 'webp', quality: 90, scale: 1 },
  { format: 'jpeg', quality: 85, scale: 1 },
  { format: 'jpeg', quality: 80, scale: 0.7 },
  { format: 'jpeg', quality: 75, scale: 0.5 },
] as const;

/** The bytes that one of `count` pictures in a message may have, where one file may have `attachmentLimit`. */
export const shareOf = (attachmentLimit: number, count: number): number =>
  Math.min(attachmentLimit, Math.floor(MESSAGE_BYTES / Math.max(1, count)));

/**
 * `picture` as it is where it has at most `limit` bytes; encoded anew, WebP then JPEG, where it has more. Undefined where
 * nothing helps.
 */
export async function fitPicture(picture: Picture, limit: number): Promise<Picture | undefined> {
  if (picture.bytes.byteLength <= limit) return picture;
  if (limit <= 0) return undefined;
  for (const attempt of ATTEMPTS) {
    // Not every format takes every picture: WebP ends at 16,383 pixels a side.
    const bytes = await encode(picture.bytes, attempt).catch(() => undefined);
    if (bytes && bytes.byteLength <= limit) {
      return { ...picture, bytes, contentType: `image/${attempt.format}` };
    }
  }
  return undefined;
}

/** As patient with damaged bytes as `checkPicture`, which has let them pass. */
async function encode(
  bytes: Uint8Array,
  { format, quality, scale }: (typeof ATTEMPTS)[number],
): Promise<Uint8Array> {
  const image = sharp(bytes, { failOn: 'error' });
  const { width } = await image.metadata();
  return image
    .resize({ width: Math.max(1, Math.round(width * scale)) })
    .toFormat(format, { quality })
    .toBuffer();
}
