import { keepChunks, pngChunks } from '@darkroom/image-api/bytes';

const [IHDR, IDAT, IEND, ACTL] = [0x49484452, 0x49444154, 0x49454e44, 0x6163544c];
const PIXELS: ReadonlySet<number> = new Set([IHDR, IDAT, IEND]);
/** `tRNS`, `iCCP`, `cICP`, `eXIf`: a colour that is transparent, profiles, and which side is up. */
const OTHERWISE_SHOWN: ReadonlySet<number> = new Set([0x74524e53, 0x69434350, 0x63494350, 0x65584966]);
/** What IHDR holds behind the size, in hexadecimal: 8 bits, colours with or without opacity, no interlacing. */
const HEAD = /^080[26]000000$/;
const HEAD_AT = 24;
/** The length, the type and the checksum of a chunk; what has less is cut. */
const AROUND_BYTES = 12;

/**
 * The chunks of a PNG that hold its pixels, where these are shown as they stand there: 8 bits, in colours, without
 * palette, profile, turn or interlacing (https://www.w3.org/TR/png-3/#5ChunkOrdering). Whether they can be decoded is
 * not looked at. `undefined` for any other file.
 */
export function plainPng(file: Uint8Array): Buffer | undefined {
  const png = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!HEAD.test(png.toString('hex', HEAD_AT, HEAD_AT + 5))) return undefined;
  for (const { type, from, end } of pngChunks(png)) {
    if (OTHERWISE_SHOWN.has(type) || end - from < AROUND_BYTES) return undefined;
    if (type === IEND) return keepChunks(png.subarray(0, end), (kind) => PIXELS.has(kind));
  }
  return undefined;
}

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
