import { pngChunks } from '@darkroom/image-api/bytes';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { examinePicture } from '../../src/inputs/input-picture.ts';
import { plainPng } from '../../src/inputs/png.ts';
import { pngOf } from '../support/brought-pictures.ts';
import { paintNoise } from '../support/engines.ts';
import { pngChunk, withChunks, withText } from '../support/png-text.ts';

const noise = async () => sharp((await paintNoise({ width: 64, height: 80 })).bytes);
/** The colour of `pngOf`, with 16 bits each. */
const ITS_COLOUR = Buffer.from([0, 0x7a, 0, 0x4a, 0, 0x2b]);

/** As whoever looks at it sees it: 8 bits of red, green, blue and opacity. */
const shown = (file: Uint8Array): Promise<Buffer> =>
  sharp(file).autoOrient().toColourspace('srgb').ensureAlpha().raw().toBuffer();

test.each<[what: string, file: () => Promise<Buffer>]>([
  ['a palette', async () => (await noise()).png({ palette: true }).toBuffer()],
  ['16 bits', async () => (await noise()).toColourspace('rgb16').png().toBuffer()],
  ['its lines in another order', async () => (await noise()).png({ progressive: true }).toBuffer()],
  ['a profile', async () => (await noise()).withIccProfile('p3').png().toBuffer()],
  [
    'another side up',
    async () =>
      (await noise())
        .withExif({ IFD0: { Orientation: '6' } })
        .png()
        .toBuffer(),
  ],
  [
    'an end that is cut',
    async () =>
      (await noise())
        .png()
        .toBuffer()
        .then((file) => file.subarray(0, -3)),
  ],
  ['a transparent colour', async () => withChunks(await pngOf(64, 80), [pngChunk('tRNS', ITS_COLOUR)])],
])('a PNG with %s becomes one of plain pixels, which shows the same', async (_what, make) => {
  const file = await make();
  const { decoded } = await examinePicture(file);
  const { bytes } = await decoded({ accountId: 1 });
  expect([plainPng(file), plainPng(bytes)]).toEqual([undefined, expect.any(Buffer)]);
  expect(await shown(bytes)).toEqual(await shown(file));
});

test('a PNG of plain pixels keeps these as its file has them, and nothing else of it', async () => {
  const plain = await (await noise()).png().toBuffer();
  const brought = Buffer.concat([withText(plain, 'GPS', 'here'), Buffer.from('and more')]);
  const { decoded } = await examinePicture(brought);
  const { bytes } = await decoded({ accountId: 1 });
  expect(bytes).toEqual(plainPng(plain));
  const types = [...pngChunks(bytes)].map(({ from }) => bytes.toString('latin1', from + 4, from + 8));
  expect(new Set(types)).toEqual(new Set(['IHDR', 'IDAT', 'IEND']));
});

test('a PNG of plain pixels that cannot be decoded is refused', async () => {
  const plain = await (await noise()).png().toBuffer();
  plain.fill(0, 200, 300);
  const { decoded } = await examinePicture(plain);
  await expect(decoded({ accountId: 1 })).rejects.toMatchObject({ code: 'picture_unreadable' });
});
