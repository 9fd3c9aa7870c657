const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);
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

/** A chunk of a PNG is its length, its type, what it holds, and a checksum. */
function withoutTexts(png: Buffer): Buffer {
  const kept = Buffer.alloc(png.length);
  let length = png.copy(kept, 0, 0, PNG_SIGNATURE.length);
  for (let at = PNG_SIGNATURE.length, end = at; at < png.length; at = end) {
    end = at + 8 <= png.length ? at + 12 + png.readUInt32BE(at) : png.length;
    if (!TEXTS.has(png.toString('latin1', at + 4, at + 8))) length += png.copy(kept, length, at, end);
  }
  return kept.subarray(0, length);
}

/** A chunk of a WebP is its type, its length, and what it holds, in an even number of bytes. */
function firstFrames(webp: Buffer): Buffer {
  let frames = 0;
  for (let at = WEBP_HEAD, end = at; at + 8 <= webp.length; at = end) {
    const length = webp.readUInt32LE(at + 4);
    end = at + 8 + length + (length % 2);
    if (webp.toString('latin1', at, at + 4) === 'ANMF') frames += 1;
    if (frames < KEPT_FRAMES) continue;
    const kept = Buffer.from(webp.subarray(0, end));
    kept.writeUInt32LE(kept.length - 8, 4);
    return kept;
  }
  return webp;
}
