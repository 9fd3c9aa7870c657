import { randomFillSync } from 'node:crypto';
import sharp from 'sharp';

/** Pixels a side of a `noisePicture` of 2 MiB. */
export const SIDE_OF_2_MIB = 836;

/** A PNG that hardly compresses; of 1,672 pixels a side it has 8 MiB. */
export async function noisePicture(side = 1_672): Promise<Uint8Array<ArrayBuffer>> {
  const raw = { width: side, height: side, channels: 3 } as const;
  const pixels = randomFillSync(Buffer.alloc(3 * side ** 2));
  return new Uint8Array(await sharp(pixels, { raw }).png({ compressionLevel: 1 }).toBuffer());
}
