import sharp from 'sharp';
import type { Inputs } from '../inputs.ts';
import type { Size } from '../size.ts';
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

const inSize = (picture: Uint8Array, { width, height }: Size): Promise<Buffer> =>
  sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer();

/** The picture, seen through where the mask is white. */
async function transparentWhere(mask: Uint8Array, picture: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const opaque = await sharp(mask).extractChannel(0).negate().png().toBuffer();
  return sharp(data, { raw: info }).joinChannel(opaque).png().toBuffer();
}
