import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { paint } from './engines.ts';
import { pngChunk, withChunks } from './png-text.ts';

/** A PNG of one colour. */
export const pngOf = async (width: number, height: number): Promise<Buffer> =>
  Buffer.from((await paint({ width, height })).bytes);

/** The same picture as a JPEG. */
export const jpegOf = async (width: number, height: number): Promise<Buffer> =>
  sharp(await pngOf(width, height))
    .jpeg()
    .toBuffer();

/** A PNG whose head says another size than its pixels have; the head's checksum is right. */
async function lyingPng(width: number, height: number): Promise<Buffer> {
  const png = await pngOf(64, 64);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A PNG whose head says that it is an animation of several frames. */
export function animatedPng(frame: Buffer, frames = 2): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  return withChunks(frame, [pngChunk('acTL', control)]);
}

/** A WebP of several frames. */
export const animatedWebp = (frames: Buffer[]): Promise<Buffer> =>
  sharp(frames, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();

/** A small file of many pixels. */
const bomb = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#000000' } })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** A PNG with texts that unpack to 50 MB each. */
export async function wordyPng(texts: number): Promise<Buffer> {
  const text = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000))]);
  return withChunks(await pngOf(64, 64), Array(texts).fill(pngChunk('zTXt', text)));
}

/** A PNG of as many chunks, every other one a text. */
export const choppedPng = async (chunks: number): Promise<Buffer> =>
  withChunks(
    await pngOf(64, 64),
    Array.from({ length: chunks }, (_, nth) => pngChunk(nth % 2 ? 'aaAa' : 'tEXt', Buffer.alloc(0))),
  );

/** A WebP of many frames. */
export async function longWebp(frames: number): Promise<Buffer> {
  const webp = await animatedWebp(
    await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    ),
  );
  const last = webp.subarray(webp.lastIndexOf('ANMF'));
  const long = Buffer.concat([webp, ...Array(frames - 2).fill(last)]);
  long.writeUInt32LE(long.length - 8, 4);
  return long;
}

/** The table of a JPEG by which the bit 0 and six more say that 64 blocks and those bits of more change nothing. */
const NO_CHANGE = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array(15).fill(0), 0x60]);
/** By that table, a scan of 64 blocks of the first component in all frequencies above 0. */
const UNCHANGED = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, 0x01]);

/** A progressive JPEG, as valid as any, with so many scans more that change nothing. */
export async function scannedJpeg(more: number): Promise<Buffer> {
  const jpeg = await sharp(await pngOf(64, 64))
    .jpeg({ progressive: true })
    .toBuffer();
  const table = jpeg.indexOf('ffc4', jpeg.indexOf('ffda', 0, 'hex'), 'hex');
  return Buffer.concat([
    jpeg.subarray(0, table),
    NO_CHANGE,
    ...Array(more).fill(UNCHANGED),
    jpeg.subarray(table),
  ]);
}

/** Files that are no picture that is taken, and what is said of each. */
export async function badFiles(): Promise<[name: string, file: Buffer, code: string, words: RegExp][]> {
  const png = await pngOf(300, 300);
  const jpeg = await jpegOf(300, 300);
  const gif = await sharp(png).gif().toBuffer();
  const unreadable = 'picture_unreadable';
  return [
    ['of 0 bytes', Buffer.alloc(0), unreadable, /0 bytes/],
    ['of words', Buffer.from('a fox'), unreadable, /PNG, a JPEG or a WebP/],
    ['in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), unreadable, /PNG, a JPEG or a WebP/],
    [
      'in HEIC',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
      unreadable,
      /PNG, a JPEG or a WebP/,
    ],
    ['in GIF', gif, unreadable, /PNG, a JPEG or a WebP/],
    ['of nothing but a head', png.subarray(0, 40), unreadable, /damaged/],
    ['of five thousand chunks', await choppedPng(5_000), unreadable, /more parts/],
    ['of a hundred scans and more', await scannedJpeg(100), unreadable, /more parts/],
    ['that is cut', png.subarray(0, png.length - 200), unreadable, /damaged/],
    ['that is cut, in JPEG', jpeg.subarray(0, jpeg.length / 2), unreadable, /damaged/],
    ['that says it has more pixels than it has', await lyingPng(3_000, 3_000), unreadable, /damaged/],
    ['that says it is a bomb', await lyingPng(60_000, 60_000), 'picture_too_large', /60000 × 60000 pixels/],
    ['that is a bomb', await bomb(6_000), 'picture_too_large', /6000 × 6000 pixels/],
    ['of a line', await pngOf(3_000, 64), unreadable, /3000 × 64 pixels: one side .* at most 32 times/],
  ];
}
