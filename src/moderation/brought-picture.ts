import { PICTURE_LIMITS } from '@darkroom/image-api';
import { essentialBytes } from '@darkroom/image-api/bytes';
import { createSemaphore } from '@darkroom/time';
import { z } from 'zod';
import type { AttachedFile, Input } from '../jobs/input.ts';

/** How large moderators see it, in pixels: enough to tell what it shows. */
const SIDE = 768;

/** For the whole of it, in real milliseconds: somebody waits for the answer to their report. */
const TIMEOUT_MS = 10_000;

/** How many are decoded at once: each takes its pixels in memory, 24 million at the most. */
const AT_ONCE = 1;

/** The picture of a member's own that a reported one was made from. */
export const broughtPicture = z.object({
  /** Of the file, in hexadecimal. */
  sha256: z.string().optional(),
  /** A small WebP of it, in Base64; left out where Discord has it no more. */
  copy: z.string().optional(),
});
export type BroughtPicture = z.output<typeof broughtPicture>;

/** Makes what is kept for a report of a picture that a member had brought. Never rejects. */
export function createBroughtCopies({
  fetchFile,
}: {
  fetchFile(file: AttachedFile, signal: AbortSignal): Promise<Uint8Array>;
}): (input: Input) => Promise<BroughtPicture> {
  const decoding = createSemaphore(AT_ONCE);

  async function shrink(bytes: Uint8Array): Promise<string> {
    const { default: sharp } = await import('sharp');
    const small = await sharp(essentialBytes(bytes), { limitInputPixels: PICTURE_LIMITS.pixels })
      .rotate()
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer();
    return small.toString('base64');
  }

  return async ({ sha256, file }) => {
    const known = sha256 === undefined ? {} : { sha256 };
    if (!file) return known;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      // One that arrives slowly keeps no other one waiting.
      const bytes = await fetchFile(file, signal);
      return { ...known, copy: await decoding.hold(1, () => shrink(bytes), { signal }) };
    } catch {
      return known;
    }
  };
}
