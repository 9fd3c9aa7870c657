const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Types of chunks are compared as numbers: a file may consist of a million chunks. */
const typeNumber = (type: string): number => Buffer.from(type, 'latin1').readUInt32BE();
const TEXTS: ReadonlySet<number> = new Set(['tEXt', 'zTXt', 'iTXt'].map(typeNumber));
const FRAME = typeNumber('ANMF');
/** `RIFF`, the length of what follows, and `WEBP`. */
const WEBP_HEAD = 12;
/** The second says that there are more than one. */
const KEPT_FRAMES = 2;

/**
 * A picture's file without what a decoder works through for nothing: the texts of a PNG, of which 50 kB unpack to 50
 * MB, and the frames of a WebP after the second, which libwebp counts in a time that grows with the square of their
 * number. Any other file comes back as it is, and what is damaged stays so.
 */
export function essentialBytes(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return withoutTexts(bytes);
  return /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, WEBP_HEAD)) ? firstFrames(bytes) : bytes;
}

/** A chunk of a PNG is its length, its type, what it holds, and a checksum. What has no texts is no copy. */
function withoutTexts(png: Buffer): Buffer {
  let kept: Buffer | undefined;
  let length = 0;
  let from = 0;
  for (let at = PNG_SIGNATURE.length, end = at; at + 8 <= png.length; at = end) {
    end = Math.min(at + 12 + png.readUInt32BE(at), png.length);
    if (!TEXTS.has(png.readUInt32BE(at + 4))) continue;
    kept ??= Buffer.alloc(png.length);
    length += png.copy(kept, length, from, at);
    from = end;
  }
  if (!kept) return png;
  length += png.copy(kept, length, from);
  return kept.subarray(0, length);
}

/** A chunk of a WebP is its type, its length, and what it holds, in an even number of bytes. */
function firstFrames(webp: Buffer): Buffer {
  let frames = 0;
  for (let at = WEBP_HEAD, end = at; at + 8 <= webp.length; at = end) {
    const length = webp.readUInt32LE(at + 4);
    end = at + 8 + length + (length % 2);
    if (webp.readUInt32BE(at) === FRAME) frames += 1;
    if (frames < KEPT_FRAMES) continue;
    const kept = Buffer.from(webp.subarray(0, end));
    kept.writeUInt32LE(kept.length - 8, 4);
    return kept;
  }
  return webp;
}
