import sharp from 'sharp';
import { type Inputs, inSize } from '../inputs.ts';
import type { Size } from '../size.ts';
import { withAlpha } from '../transparency.ts';
import type { Edits } from './providers.ts';

/**
 * The pictures that a model is given, the first and its mask in the size that is asked for: what comes back lies over
 * them.
 */
export async function givenPictures(
  { picture, references, mask }: Inputs,
  size: Size,
  edits: Edits | undefined,
): Promise<{ images: Uint8Array[]; mask?: Uint8Array }> {
  const first = await inSize(picture, size);
  const images = [first, ...references].slice(0, edits?.images ?? 1);
  if (!mask || !edits?.mask) return { images };
  const fitted = await inSize(mask, size);
  return { images, mask: edits.mask === 'white' ? fitted : await transparentWhere(fitted, first) };
}

/** The picture, seen through where the mask is white. */
const transparentWhere = (mask: Uint8Array, picture: Uint8Array): Promise<Buffer> =>
  withAlpha(picture, sharp(mask).extractChannel(0).negate());
