const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** A file of a million chunks is not walked through in one turn. */
const MOST_CHUNKS = 4_096;
/** A program puts 8 KiB or more into a chunk: a larger file may have one more for each half of that. */
const CHUNK_BYTES = 4_096;
/** Types of chunks are compared as numbers: a file may consist of thousands. */
const typeNumber = (type: string): number => Buffer.from(type, 'latin1').readUInt32BE();
const TEXTS: ReadonlySet<number> = new Set(['tEXt', 'zTXt', 'iTXt'].map(typeNumber));
const END = typeNumber('IEND');
const FRAME = typeNumber('ANMF');
/** SOI, by which every JPEG begins. */
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8]);
const [SCAN, END_OF_JPEG] = [0xda, 0xd9];
/**
 * Programs write about ten. A decoder works through every pixel for each of them, before the first pixel is there,
 * although one may be of a few bytes: LJT-01-003 in "Two Issues with the JPEG Standard" of libjpeg-turbo. libtiff and
 * GDAL stop at the same number.
 */
const MOST_SCANS = 100;
/** `RIFF`, the length of what follows, and `WEBP`. */
const WEBP_HEAD = 12;
/** The second says that there are more than one. */
const KEPT_FRAMES = 2;

/**
 * A picture's file without what a decoder works through for nothing: the texts of a PNG, of which 50 kB unpack to 50
 * MB, and the frames of a WebP after the second, which libwebp counts in a time that grows with the square of their
 * number. Any other file comes back as it is, and what is damaged stays so. Throws a `RangeError` where one of them has
 * more chunks than any program writes, or a JPEG more segments or scans.
 */
export function essentialBytes(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return keepChunks(bytes, (type) => !TEXTS.has(type));
  }
  if (bytes.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) boundScans(bytes);
  return /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, WEBP_HEAD)) ? firstFrames(bytes) : bytes;
}

/**
 * The chunks of a PNG, each with its type as a number, where it begins, and where it ends: a length, the type, what
 * it holds, and a checksum. The last one of a damaged file ends with the file. Throws where there are too many.
 */
export function* pngChunks(png: Buffer): Generator<{ type: number; from: number; end: number }> {
  let chunks = 0;
  for (let from = PNG_SIGNATURE.length, end = from; from + 8 <= png.length; from = end) {
    chunks = oneMore(chunks, png);
    end = Math.min(from + 12 + png.readUInt32BE(from), png.length);
    const type = png.readUInt32BE(from + 4);
    yield { type, from, end };
    // Whatever follows is no part of the picture.
    if (type === END) return;
  }
}

function oneMore(chunks: number, { length }: Buffer): number {
  const most = Math.max(MOST_CHUNKS, Math.floor(length / CHUNK_BYTES));
  if (chunks === most) throw new RangeError(`a picture of more than ${most} chunks`);
  return chunks + 1;
}

/** A PNG with those of its chunks that are kept; where all are, it is no copy. */
export function keepChunks(png: Buffer, isKept: (type: number) => boolean): Buffer {
  let kept: Buffer | undefined;
  let length = 0;
  let copied = 0;
  for (const { type, from, end } of pngChunks(png)) {
    if (isKept(type)) continue;
    kept ??= Buffer.alloc(png.length);
    length += png.copy(kept, length, copied, from);
    copied = end;
  }
  if (!kept) return png;
  length += png.copy(kept, length, copied);
  return kept.subarray(0, length);
}

/**
 * A chunk of a WebP is its type, its length, and what it holds, in an even number of bytes. What follows the length
 * in its head is no part of the picture.
 */
function firstFrames(webp: Buffer): Buffer {
  const over = Math.min(8 + webp.readUInt32LE(4), webp.length);
  let frames = 0;
  let chunks = 0;
  for (let at = WEBP_HEAD, end = at; at + 8 <= over; at = end) {
    chunks = oneMore(chunks, webp);
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

function boundScans(jpeg: Buffer): void {
  let segments = 0;
  let scans = 0;
  for (const marker of jpegSegments(jpeg)) {
    segments = oneMore(segments, jpeg);
    if (marker !== SCAN) continue;
    scans += 1;
    if (scans > MOST_SCANS) throw new RangeError(`a picture of more than ${MOST_SCANS} scans`);
  }
}

/**
 * The markers of a JPEG that a segment follows, found as libjpeg finds them: after any bytes, and after any number of
 * bytes 255. What follows the end of the picture, as phones append films, is no part of it.
 */
function* jpegSegments(jpeg: Buffer): Generator<number> {
  const next = (from: number) => jpeg.indexOf(0xff, from);
  for (let at = next(JPEG_SIGNATURE.length); at !== -1; at = next(at)) {
    while (jpeg[at] === 0xff) at += 1;
    const marker = jpeg[at] ?? END_OF_JPEG;
    at += 1;
    if (marker === END_OF_JPEG) return;
    if (standsAlone(marker)) continue;
    yield marker;
    if (at + 2 > jpeg.length) return;
    // A length counts itself.
    at += Math.max(2, jpeg.readUInt16BE(at));
  }
}

/** A byte 255 of the pixels is followed by 0; RST0 to RST7 and SOI are no segments, and below SOF0 none is used. */
const standsAlone = (marker: number): boolean => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);
