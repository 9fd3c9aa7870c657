import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePreview } from '../src/encode.ts';

const raw = (side: number) => ({ raw: { width: side, height: side, channels: 3 as const } });
const encoded = (pixels: Buffer, side: number) => encodePreview(sharp(pixels, raw(side)));
const plain = (side: number) => encoded(Buffer.alloc(side * side * 3, 90), side);
const noise = (side: number) => encoded(randomBytes(side * side * 3), side);

test('a preview that compresses badly is sent in a lower quality, and not at all where that is too large, too', async () => {
  expect((await plain(256))?.length).toBeLessThan(1_000);
  const small = await noise(192);
  expect(small?.length).toBeGreaterThan(10_000);
  expect(small?.length).toBeLessThanOrEqual(20_000);
  expect(await noise(1_024)).toBeUndefined();
});
