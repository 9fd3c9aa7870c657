import sharp from 'sharp';

/** A mask in shades of grey: what is white or transparent in the picture is white in it. */
export async function maskOf(picture: Uint8Array): Promise<Uint8Array> {
  return sharp(picture).flatten({ background: '#ffffff' }).toColourspace('b-w').png().toBuffer();
}
