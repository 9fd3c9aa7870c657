import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DrawnPicture, DrawOptions, InputPicture, Source } from '../../src/engines/engine.ts';
import { type Inputs, readInputs } from '../../src/engines/inputs.ts';
import type { Size } from '../../src/engines/size.ts';
import { inputs, noise, type Pixels, png } from '../support/inputs.ts';

const drawn = async (pixels: Pixels): Promise<DrawnPicture> => ({
  bytes: await png(pixels),
  width: pixels.width,
  height: pixels.height,
});

/** What a server is given for a drawing of that size. */
async function begin(
  source: Source,
  { width, height }: Size,
  readInput: DrawOptions['readInput'],
): Promise<Inputs> {
  const given = await readInputs({ source, width, height }, readInput);
  if (!given) throw new Error('it begins with nothing');
  return given;
}

/** The channels of each pixel, in rows. */
const pixelsOf = async (bytes: Uint8Array): Promise<number[][]> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.width * info.height }, (_, at) => [
    ...data.subarray(at * info.channels, (at + 1) * info.channels),
  ]);
};

const picture = (width: number, height: number, channels: 1 | 3 | 4) =>
  fc
    .uint8Array({ minLength: width * height * channels, maxLength: width * height * channels })
    .map((data): Pixels => ({ data, width, height, channels }));

/** Three pictures of one size: what there was, what is drawn, and a mask. */
const masked = fc
  .tuple(
    fc.integer({ min: 1, max: 24 }),
    fc.integer({ min: 1, max: 24 }),
    fc.constantFrom(3 as const, 4 as const),
  )
  .chain(([width, height, channels]) =>
    fc.tuple(picture(width, height, channels), picture(width, height, 3), picture(width, height, 1)),
  );

test('what the mask leaves out is exactly as it was, and what it marks is as it was drawn', async () => {
  await fc.assert(
    fc.asyncProperty(masked, async ([before, painted, { data, ...shape }]) => {
      const mask = { ...shape, data: data.map((value) => (value < 128 ? 0 : 255)) };
      const { readInput, input } = inputs();
      const source: Source = {
        operation: 'edit',
        images: [await input(before)],
        mask: await input(mask),
        strength: 0.5,
      };
      const given = await begin(source, before, readInput);
      const after = await given.finish(await drawn(painted));
      expect(after).toMatchObject({ width: before.width, height: before.height });
      const [now, was, is] = await Promise.all(
        [after.bytes, await png(before), await png(painted)].map(pixelsOf),
      );
      const opaque = before.channels === 4 ? [255] : [];
      expect(now).toEqual(
        was?.map((pixel, at) => (mask.data[at] === 0 ? pixel : [...(is?.[at] ?? []), ...opaque])),
      );
    }),
  );
});

test('a picture with new sides stands exactly in what was drawn, and its sides go on for the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9)),
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })),
      fc.nat(),
      async ([left, top, right, bottom], [width, height], seed) => {
        const [before] = fc.sample(picture(width, height, 3), { seed, numRuns: 1 });
        if (!before) throw new Error('no picture');
        const size = { width: width + left + right, height: height + top + bottom };
        const { readInput, input } = inputs();
        const margins = { left, top, right, bottom };
        const source: Source = { operation: 'expand', image: await input(before), margins };
        const given = await begin(source, size, readInput);
        const blue = {
          ...size,
          channels: 3 as const,
          data: new Uint8Array(size.width * size.height * 3).fill(7),
        };
        const { bytes } = await given.finish(await drawn(blue));
        const inside = { left, top, width, height };
        for (const each of [bytes, given.picture])
          expect(await pixelsOf(await sharp(each).extract(inside).png().toBuffer())).toEqual(
            await pixelsOf(await png(before)),
          );
        const now = await pixelsOf(bytes);
        const marked = await pixelsOf(given.mask ?? bytes);
        expect(marked.filter(([value]) => value === 255)).toHaveLength(
          size.width * size.height - width * height,
        );
        for (const [at, [value]] of marked.entries()) if (value === 255) expect(now[at]).toEqual([7, 7, 7]);
      },
    ),
  );
});

test('a picture, its mask and what is drawn are brought to the size that was asked for', async () => {
  const { readInput, input } = inputs();
  const plain = (width: number, height: number, channels: 1 | 3): Pixels => ({
    width,
    height,
    channels,
    data: new Uint8Array(width * height * channels).fill(channels === 1 ? 0 : 90),
  });
  const images = [await input(plain(100, 50, 3))];
  const mask: InputPicture = await input(plain(40, 40, 1));
  const wanted = { width: 60, height: 30 };
  const given = await begin({ operation: 'edit', images, mask, strength: 1 }, wanted, readInput);
  const { bytes } = await given.finish(await drawn(noise({ width: 64, height: 32 })));
  expect(await sharp(given.picture).metadata()).toMatchObject({ ...wanted, channels: 3 });
  expect(await sharp(given.mask).metadata()).toMatchObject({ ...wanted, channels: 1 });
  expect(await sharp(bytes).metadata()).toMatchObject({ ...wanted, channels: 3 });
  // All of the mask is black.
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(given.picture));
});

test('a server sees what is transparent as white', async () => {
  const { readInput, input } = inputs();
  const images = [
    await input({ width: 2, height: 1, channels: 4, data: Uint8Array.of(9, 9, 9, 0, 9, 9, 9, 255) }),
  ];
  const given = await begin({ operation: 'edit', images, strength: 1 }, { width: 2, height: 1 }, readInput);
  expect(await pixelsOf(given.picture)).toEqual([
    [255, 255, 255],
    [9, 9, 9],
  ]);
});

test('what is enlarged has the exact size, and stays as transparent as it was', async () => {
  const { readInput, input } = inputs();
  const image = await input({
    width: 2,
    height: 1,
    channels: 4,
    data: Uint8Array.of(9, 9, 9, 0, 9, 9, 9, 255),
  });
  const given = await begin({ operation: 'upscale', image, scale: 4 }, { width: 8, height: 4 }, readInput);
  const enlarged = { width: 16, height: 8, channels: 3 as const, data: new Uint8Array(384).fill(9) };
  const after = await given.finish(await drawn(enlarged));
  expect(after).toMatchObject({ width: 8, height: 4 });
  const pixels = await pixelsOf(after.bytes);
  expect([pixels[0], pixels[7]]).toEqual([
    [9, 9, 9, 0],
    [9, 9, 9, 255],
  ]);
});
