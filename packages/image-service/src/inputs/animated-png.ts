const SIGNATURE_BYTES = 8;
/** The length, the type and the checksum of a chunk. */
const AROUND_BYTES = 12;
const [IDAT, ACTL] = [0x49444154, 0x6163544c];

/**
 * Whether a PNG has more than one frame, which the decoder does not tell: `acTL` then says how many, before the
 * pixels (https://www.w3.org/TR/png-3/#acTL-chunk).
 */
export function isAnimatedPng(file: Uint8Array): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= file.length; at += AROUND_BYTES + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    if (type === ACTL) return view.getUint32(at + 8) > 1;
    if (type === IDAT) return false;
  }
  return false;
}
