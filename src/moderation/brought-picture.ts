import { PICTURE_LIMITS } from '@darkroom/image-api';
import { z } from 'zod';
import type { AttachedFile, Input } from '../jobs/input.ts';

/** How large moderators see it, in pixels: enough to tell what it shows. */
const SIDE = 768;

/** For the whole of it, in real milliseconds: somebody waits for the answer to their report. */
const TIMEOUT_MS = 10_000;

/** The picture of a member's own that a reported one was made from. */
export const broughtPicture = z.object({
  /** Of the file, in hexadecimal. */
  sha256: z.string().optional(),
  /** A small WebP of it, in Base64; left out where Discord has it no more. */
  copy: z.string().optional(),
});
export type BroughtPicture = z.output<typeof broughtPicture>;

/** What is kept of it for a report; undefined where a picture began with none. Never rejects. */
export async function keepBrought(
  input: Input | undefined,
  fetchFile: (file: AttachedFile, signal: AbortSignal) => Promise<Uint8Array>,
): Promise<BroughtPicture | undefined> {
  if (!input?.own) return undefined;
  const { sha256, file } = input;
  const known = sha256 === undefined ? {} : { sha256 };
  if (!file) return known;
  try {
    const bytes = await fetchFile(file, AbortSignal.timeout(TIMEOUT_MS));
    const { default: sharp } = await import('sharp');
    const small = await sharp(bytes, { limitInputPixels: PICTURE_LIMITS.pixels })
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer();
    return { ...known, copy: small.toString('base64') };
  } catch {
    return known;
  }
}
