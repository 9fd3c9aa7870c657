import { randomBytes } from 'node:crypto';
import { cpuMsUntil } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { longWebp, wordyPng } from '../../packages/image-service/test/support/brought-pictures.ts';
import { fitPicture } from '../../src/delivery/fit-picture.ts';
import { checkPicture } from '../../src/jobs/picture-download.ts';

/** A JPEG that no encoder makes much smaller. */
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();

const picture = (bytes: Uint8Array) => ({ bytes, contentType: 'image/jpeg', task: 0 });

test('a picture within its limit stays as it is', async () => {
  const small = picture(await noise(64, 64));
  expect(await fitPicture(small, small.bytes.byteLength)).toBe(small);
});

test('a picture with stray bytes, which every viewer overlooks, is encoded anew like any other', async () => {
  const whole = await noise(512, 512);
  const afterHeader = whole.indexOf(Buffer.from([0xff, 0xdb]));
  const bytes = Buffer.concat([whole.subarray(0, afterHeader), Buffer.alloc(3), whole.subarray(afterHeader)]);
  await expect(checkPicture(bytes)).resolves.toBeUndefined();
  const limit = bytes.byteLength - 1;
  expect(await fitPicture(picture(bytes), limit)).toMatchObject({ contentType: 'image/webp' });
});

test('a picture that is too wide for WebP becomes a JPEG', async () => {
  const bytes = await noise(16_384, 64);
  const fitted = await fitPicture(picture(bytes), bytes.byteLength - 1);
  expect(fitted).toMatchObject({ contentType: 'image/jpeg' });
});

test('a picture that cannot be encoded anew does not fit, and nothing fails', async () => {
  expect(await fitPicture(picture(Buffer.from('no picture')), 4)).toBeUndefined();
});

test.each([
  ['a PNG whose texts unpack to 2 GB', () => wordyPng(40)],
  ['a WebP of 40,000 frames', () => longWebp(40_000)],
])('%s is looked at and encoded in no longer than its pixels take', async (_name, make) => {
  const bytes = await make();
  const work = async () => {
    await checkPicture(bytes);
    expect(await fitPicture(picture(bytes), 1_000_000)).toMatchObject({ contentType: 'image/webp' });
  };
  expect(await cpuMsUntil(work)).toBeLessThan(1_000);
});
