import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { choppedPng, longWebp, pngOf } from '../../../image-service/test/support/brought-pictures.ts';
import { withText } from '../../../image-service/test/support/png-text.ts';
import { essentialBytes, pngChunks } from '../../src/bytes/essential-bytes.ts';

const png = await pngOf(64, 64);
const webp = await sharp(png).webp().toBuffer();
const wordy = withText(png, 'parameters', 'a fox');
const long = await longWebp(5);

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
