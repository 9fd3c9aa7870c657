import { gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { cleanPicture, UnreadablePicture } from '../../src/engines/clean-picture.ts';
import { choppedPng, scannedJpeg } from '../support/brought-pictures.ts';
import { withText } from '../support/png-text.ts';

const SECRET = 'a fox that nobody else may know of';

const plain = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#35506b' } });
const described = (): Sharp =>
  plain()
    .withExif({ IFD0: { ImageDescription: SECRET } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><p>${SECRET}</p></x:xmpmeta>`);

test.each([
  ['PNG with a text', async () => withText(await plain().png().toBuffer(), 'parameters', SECRET)],
  ['PNG with EXIF and XMP', () => described().png().toBuffer()],
  ['JPEG', () => described().jpeg().toBuffer()],
  ['WebP', () => described().webp().toBuffer()],
  ['AVIF', () => described().avif({ effort: 0 }).toBuffer()],
  ['TIFF', () => described().tiff().toBuffer()],
])('what is written into a %s is gone, and the picture is there', async (_format, make) => {
  const bytes = await make();
  expect(bytes.includes(SECRET)).toBe(true);
  const picture = await cleanPicture(bytes);
  expect(picture).toMatchObject({ width: 40, height: 30 });
  expect(Buffer.from(picture.bytes).includes(SECRET)).toBe(false);
  const { exif, xmp, comments } = await sharp(picture.bytes).metadata();
  expect([exif, xmp, comments]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['', (svg: string) => Buffer.from(svg)],
  [' that begins like an AVIF', (svg: string) => Buffer.from(`<!--ftypavif-->${svg}`)],
  [' that is packed', (svg: string) => gzipSync(svg)],
])('an SVG%s is no picture: what it has drawn may take hours', async (_, fileOf) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>';
  await expect(cleanPicture(fileOf(svg))).rejects.toThrow(UnreadablePicture);
});

test.each([
  ['a PNG of thousands of chunks', () => choppedPng(5_000)],
  ['a JPEG of thousands of scans', () => scannedJpeg(5_000)],
])('%s is no picture', async (_, make) => {
  await expect(cleanPicture(await make())).rejects.toThrow(UnreadablePicture);
});
