import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePreview } from '../../../src/service/engines/preview.ts';
import { paint, paintNoise } from '../../support/engines.ts';

const encoded = async ({ bytes }: { bytes: Uint8Array }) => encodePreview(sharp(bytes));

test('a preview that compresses badly is sent in a lower quality, and not at all where that is too large, too', async () => {
  expect((await encoded(await paint({ width: 256, height: 256 })))?.length).toBeLessThan(1_000);
  const noise = await encoded(await paintNoise({ width: 192, height: 192 }));
  expect(noise?.length).toBeGreaterThan(10_000);
  expect(noise?.length).toBeLessThanOrEqual(20_000);
  expect(await encoded(await paintNoise({ width: 1_024, height: 1_024 }))).toBeUndefined();
});
