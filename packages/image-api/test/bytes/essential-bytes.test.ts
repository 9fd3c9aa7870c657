import { cpuMsUntil } from '@darkroom/testing';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  choppedPng,
  longWebp,
  pngOf,
  scannedJpeg,
} from '../../../image-service/test/support/brought-pictures.ts';
import { withText } from '../../../image-service/test/support/png-text.ts';
import { essentialBytes, pngChunks } from '../../src/bytes/essential-bytes.ts';

const png = await pngOf(64, 64);
const webp = await sharp(png).webp().toBuffer();
const wordy = withText(png, 'parameters', 'a fox');
const long = await longWebp(5);

const scanned = await scannedJpeg(1_000);

const [START, END] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
/** Of a JPEG: its marker, its length, and what it holds. */
function segment(marker: number, body: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + body.length, 2);
  return Buffer.concat([head, body]);
}
const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0x11, 0, 63, 0])), Buffer.from([0x5a, 0xa5])]);

const pixelsOf = (file: Uint8Array) => sharp(file).raw().toBuffer();

test('a PNG has its pixels without its texts, and a WebP its first frame, and a second one at most', async () => {
  expect(essentialBytes(wordy)).toEqual(png);
  const first = essentialBytes(long);
  expect([(await sharp(long).metadata()).pages, (await sharp(first).metadata()).pages]).toEqual([5, 2]);
  expect(await pixelsOf(first)).toEqual(await pixelsOf(long));
});

test('whatever else a file is, it is left as it is', async () => {
  const jpeg = await sharp(png).jpeg().toBuffer();
  const gif = await sharp(png).gif().toBuffer();
  for (const file of [png, webp, jpeg, gif, Buffer.from('a fox'), Buffer.alloc(0)])
    expect(essentialBytes(file)).toEqual(file);
});

test('a picture of more chunks than any program writes is not walked through, whatever comes behind its end', async () => {
  const trailed = [png, webp].map((file) => Buffer.concat([file, Buffer.alloc(100_000)]));
  for (const file of trailed) expect(file.equals(essentialBytes(file))).toBe(true);
  const choppedWebp = Buffer.concat([webp, Buffer.alloc(40_000)]);
  choppedWebp.writeUInt32LE(choppedWebp.length - 8, 4);
  for (const chopped of [await choppedPng(5_000), choppedWebp])
    expect(() => essentialBytes(chopped)).toThrow('more than 4096 chunks');
});

test('a JPEG may have ten times the scans that programs write, and no more', async () => {
  const progressive = await sharp(png).jpeg({ progressive: true }).toBuffer();
  for (const file of [progressive, await scannedJpeg(80)]) {
    expect(file.equals(essentialBytes(file))).toBe(true);
    expect(await pixelsOf(file)).toEqual(await pixelsOf(progressive));
  }
  expect(() => essentialBytes(scanned)).toThrow('more than 100 scans');
});

test('what follows the end of a JPEG, as phones append a film, is no part of it', async () => {
  const jpeg = await sharp(png).jpeg().toBuffer();
  const photo = Buffer.concat([jpeg, scanned, Buffer.alloc(9, 0xff)]);
  expect(photo.equals(essentialBytes(photo))).toBe(true);
});

test('a thumbnail in a segment of a JPEG is not walked through', () => {
  const jpeg = Buffer.concat([START, segment(0xe1, scanned.subarray(0, 60_000)), scan, END]);
  expect(jpeg.equals(essentialBytes(jpeg))).toBe(true);
});

test.each([
  ['bytes that belong to none', Buffer.from('a fox')],
  ['bytes of the value 255', Buffer.alloc(9, 0xff)],
  ['a byte 255 of the scan itself', Buffer.from([0xff, 0x00, 0xff, 0xff, 0x00])],
  ['restart markers', Buffer.from([0xff, 0xd0, 0xff, 0xd7])],
  // What libjpeg passes over where it looks for a restart marker: it reads no length behind it.
  ['a marker that there is not', Buffer.from([0xff, 0x02, 0xff, 0xff])],
  ['a segment that says it has no length', Buffer.from([0xff, 0xfe, 0x00, 0x00])],
])('scans are counted with %s between them', (_, between) => {
  const scans = (count: number) =>
    Buffer.concat([START, ...Array(count).fill(Buffer.concat([scan, between])), END]);
  expect(() => essentialBytes(scans(100))).not.toThrow();
  expect(() => essentialBytes(scans(101))).toThrow('more than 100 scans');
});

test('a JPEG of more segments than any program writes is not walked through', () => {
  const chopped = Buffer.concat([START, ...Array(5_000).fill(segment(0xe2, Buffer.alloc(0))), scan, END]);
  expect(() => essentialBytes(chopped)).toThrow('more than 4096 chunks');
});

test('ten megabytes of whatever a JPEG may hold are walked through at once', async () => {
  for (const bytes of [[0], [0xff], [0xff, 0x00], [0xff, 0xd0], [0xff, 0x02]]) {
    const file = Buffer.concat([START, Buffer.alloc(10 * 1024 ** 2, Buffer.from(bytes))]);
    expect(await cpuMsUntil(async () => void essentialBytes(file))).toBeLessThan(1_000);
  }
});

test('whatever bytes a JPEG has, it stays as it is, or has too many scans or segments', () => {
  const marker = fc.tuple(fc.constant(0xff), fc.nat(0xff));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 9 }), marker, fc.constant(scan));
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 300, size: 'max' }), (parts) => {
      const file = Buffer.concat([START, ...parts.map((part) => Buffer.from(part))]);
      try {
        expect(essentialBytes(file).buffer).toBe(file.buffer);
      } catch (error) {
        expect(String(error)).toMatch(/^RangeError: a picture of more than \d+ (scans|chunks)$/);
      }
    }),
  );
});

test('a picture that hardly compresses may have as many chunks as its size takes', async () => {
  const raw = { width: 3_400, height: 3_400, channels: 3 } as const;
  const pixels = Buffer.alloc(raw.width * raw.height * raw.channels);
  const large = await sharp(pixels, { raw }).png({ compressionLevel: 0 }).toBuffer();
  expect([...pngChunks(large)].length).toBeGreaterThan(4_096);
  expect(large.equals(essentialBytes(large))).toBe(true);
});

test('what stays whole is held once', () => {
  for (const file of [png, webp]) expect(essentialBytes(file).buffer).toBe(file.buffer);
});

test('of a file that is damaged anywhere nothing is added, and a second look finds nothing more', () => {
  const damaged = fc
    .tuple(fc.constantFrom(wordy, long, webp), fc.array(fc.tuple(fc.nat(), fc.nat(255))), fc.nat())
    .map(([file, changes, kept]) => {
      const bytes = Buffer.from(file.subarray(0, 1 + (kept % file.length)));
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(damaged, (file) => {
      const essential = essentialBytes(file);
      expect(essential.length).toBeLessThanOrEqual(file.length);
      expect(essentialBytes(essential)).toEqual(essential);
    }),
  );
});
