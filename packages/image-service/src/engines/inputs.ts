import sharp from 'sharp';
import type { Drawing, DrawnPicture, DrawOptions, Source } from './engine.ts';
import type { Size } from './size.ts';
import { alphaOf, colours, isTransparent, withAlpha } from './transparency.ts';

/** What a server is given for a drawing that begins with a picture. */
export interface Inputs {
  /** A PNG; without transparency and of the drawing's size where it is edited or continued. */
  picture: Uint8Array;
  /** Further pictures of an edit, likewise. */
  references: readonly Uint8Array[];
  /** What is painted over, in white; all of it where there is none. A PNG in shades of grey, of the same size. */
  mask: Uint8Array | undefined;
  /** What was drawn, in the drawing's size: what the mask leaves out is exactly as it was before. */
  finish(drawn: DrawnPicture): Promise<DrawnPicture>;
}

/** That a server does not take what it is given. */
export const INPUT_TOO_LARGE = 'The image server takes no pictures as large as this one.';

/** How much of a drawing is its own, 0 to 1: all of what begins with words alone, and of new sides. */
export const strengthOf = ({ source }: Pick<Drawing, 'source'>): number =>
  source?.operation === 'edit' ? source.strength : 1;

/** Reads what a drawing begins with, if anything. A picture with new sides goes on in the colours of its edges. */
export async function readInputs(
  { source, width, height }: Pick<Drawing, 'source' | 'width' | 'height'>,
  readInput: DrawOptions['readInput'],
): Promise<Inputs | undefined> {
  const size = { width, height };
  switch (source?.operation) {
    case undefined:
      return undefined;
    case 'edit': {
      const [original, ...others] = await Promise.all(source.images.map(readInput));
      if (!original) throw new Error('an edit begins with a picture');
      const mask = source.mask && (await readInput(source.mask));
      const references = await Promise.all(others.map(opaque));
      return { ...(await paintedOver({ original, mask, size })), references };
    }
    case 'expand':
      return paintedOver({ ...(await widen(source, readInput)), size });
    case 'upscale': {
      const picture = await readInput(source.image);
      const finish = async (drawn: DrawnPicture) =>
        withTransparencyOf(picture, await asPng(drawn.bytes, size));
      return { ...ALONE, picture, finish };
    }
    case 'remove_background':
      return { ...ALONE, picture: await readInput(source.image), finish: async (drawn) => drawn };
  }
}

const ALONE = { references: [], mask: undefined };

async function paintedOver(given: {
  original: Uint8Array;
  mask: Uint8Array | undefined;
  size: Size;
}): Promise<Inputs> {
  const { size } = given;
  const original = await inSize(given.original, size);
  const mask = given.mask && (await grey(await inSize(given.mask, size)));
  return {
    ...ALONE,
    picture: await opaque(original),
    mask,
    async finish(drawn) {
      const picture = await asPng(drawn.bytes, size);
      return mask ? { ...picture, bytes: await join(original, picture.bytes, mask) } : picture;
    },
  };
}

const opaque = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture).flatten({ background: 'white' }).png().toBuffer();

/** Of one channel: what is white or transparent in the picture is white in it. */
const grey = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture).flatten({ background: 'white' }).toColourspace('b-w').png().toBuffer();

const asPng = async (bytes: Uint8Array, size: Size): Promise<DrawnPicture> => ({
  bytes: await inSize(bytes, size),
  ...size,
});

async function widen(
  { image, margins }: Extract<Source, { operation: 'expand' }>,
  readInput: DrawOptions['readInput'],
) {
  const { width, height } = image;
  const picture = sharp(await readInput(image)).extend({ ...margins, extendWith: 'copy' });
  const inside = sharp({ create: { width, height, channels: 3, background: 'black' } });
  const mask = inside.extend({ ...margins, background: 'white' });
  return { original: await picture.png().toBuffer(), mask: await mask.png().toBuffer() };
}

/** A PNG as it is, or encoded anew in another size. */
export async function inSize(picture: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const found = await sharp(picture).metadata();
  if (found.width === width && found.height === height) return picture;
  return sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer();
}

/** `drawn` where the mask is white, and each pixel of `original` where it is black, transparency included. */
async function join(original: Uint8Array, drawn: Uint8Array, mask: Uint8Array): Promise<Buffer> {
  const patch = (await colours(drawn)).joinChannel(Buffer.from(mask));
  const joined = (await colours(original)).composite([{ input: await patch.png().toBuffer() }]);
  if (!(await isTransparent(original))) return joined.removeAlpha().png().toBuffer();
  const alpha = sharp(await sharp(original).extractChannel('alpha').png().toBuffer());
  const joinedAlpha = alpha.composite([{ input: Buffer.from(mask), blend: 'lighten' }]).toColourspace('b-w');
  return withAlpha(await joined.png().toBuffer(), joinedAlpha.removeAlpha());
}

/** As transparent as the picture that it was made from: servers enlarge the colours alone. */
async function withTransparencyOf(input: Uint8Array, drawn: DrawnPicture): Promise<DrawnPicture> {
  if (!(await isTransparent(input))) return drawn;
  return { ...drawn, bytes: await withAlpha(drawn.bytes, alphaOf(input, drawn)) };
}
