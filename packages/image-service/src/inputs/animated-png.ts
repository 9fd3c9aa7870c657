import { pngChunks } from '@darkroom/image-api/contract';

const [IDAT, ACTL] = [0x49444154, 0x6163544c];

/**
 * Whether a PNG has more than one frame, which the decoder does not tell: `acTL` then says how many, before the
 * pixels (https://www.w3.org/TR/png-3/#acTL-chunk).
 */
export function isAnimatedPng(file: Uint8Array): boolean {
  const png = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (const { type, from, end } of pngChunks(png)) {
    if (type === ACTL) return from + 12 <= end && png.readUInt32BE(from + 8) > 1;
    if (type === IDAT) return false;
  }
  return false;
}
