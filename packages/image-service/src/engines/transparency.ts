import sharp, { type Sharp } from 'sharp';
import type { Size } from './size.ts';

export const isTransparent = async (picture: Uint8Array): Promise<boolean> =>
  (await sharp(picture).metadata()).hasAlpha === true;

/** How transparent a picture is, which has such a channel, in another size. */
export const alphaOf = (picture: Uint8Array, { width, height }: Size): Sharp =>
  sharp(picture).extractChannel('alpha').resize(width, height, { fit: 'fill' });

/**
 * Red, green and blue of a picture. They are decoded first: in one pipeline, a channel that is joined is removed
 * again.
 */
export async function colours(picture: Uint8Array): Promise<Sharp> {
  const decoded = sharp(picture).removeAlpha().toColourspace('srgb').raw();
  const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info });
}

/** A PNG of the colours of a picture, as transparent as `alpha` is dark: one channel of the same size. */
export async function withAlpha(picture: Uint8Array, alpha: Sharp): Promise<Buffer> {
  const plain = await colours(picture);
  return plain
    .joinChannel(await alpha.png().toBuffer())
    .png()
    .toBuffer();
}
