import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type {
  Drawing,
  DrawnPicture,
  DrawOptions,
  InputPicture,
  Source,
} from '../../../src/engines/engine.ts';
import { inputs, noise } from '../inputs.ts';

/** Of the picture that a drawing begins with, and of its mask, whose first rows are white. */
const SIZE = { width: 72, height: 64 };
const WHITE_ROWS = 24;

type DrawFrom = (
  source: (image: InputPicture, mask: InputPicture) => Source,
  changes?: Partial<Drawing>,
) => Promise<{ before: Buffer; picture: DrawnPicture }>;

/** Draws what begins with a picture; that picture's pixels are `before`. */
export const drawFrom =
  (
    draw: (changes: Partial<Drawing>, given: Pick<DrawOptions, 'readInput'>) => Promise<DrawnPicture>,
  ): DrawFrom =>
  async (source, changes) => {
    const { input, readInput } = inputs();
    const data = new Uint8Array(SIZE.width * SIZE.height).fill(255, 0, SIZE.width * WHITE_ROWS);
    const image = await input(noise(SIZE));
    const mask = await input({ ...SIZE, channels: 1, data });
    const drawing = { ...SIZE, source: source(image, mask), ...changes };
    const picture = await draw(drawing, { readInput });
    expect(picture).toMatchObject({ width: drawing.width, height: drawing.height });
    return {
      before: await sharp(await readInput(image))
        .raw()
        .toBuffer(),
      picture,
    };
  };

/** What holds of every server that paints over pictures. */
export function testPainting(draw: DrawFrom): void {
  test('draws over a picture, more of it with more strength', async () => {
    const seed = randomInt(2 ** 32);
    const edit = async (strength: number) => {
      const { picture } = await draw((image) => ({ operation: 'edit', images: [image], strength }), { seed });
      return Buffer.from(picture.bytes);
    };
    const [little, much] = [await edit(0), await edit(1)];
    expect((await sharp(much).stats()).entropy).toBeGreaterThan(1);
    expect(little).not.toEqual(much);
  });

  test('draws over what a mask marks, and outside of it the picture stays exactly as it was', async () => {
    const { before, picture } = await draw((image, mask) => ({
      operation: 'edit',
      images: [image],
      mask,
      strength: 1,
    }));
    const after = await sharp(picture.bytes).raw().toBuffer();
    const painted = SIZE.width * WHITE_ROWS * 3;
    expect(after.subarray(painted).equals(before.subarray(painted))).toBe(true);
    expect(after.subarray(0, painted).equals(before.subarray(0, painted))).toBe(false);
  });

  test('continues a picture without a word, which stands in the middle exactly as it was', async () => {
    const margins = { left: 16, top: 8, right: 11, bottom: 0 };
    const changes = { width: 99, height: 72, prompt: '' };
    const { before, picture } = await draw((image) => ({ operation: 'expand', image, margins }), changes);
    const inside = sharp(picture.bytes).extract({ left: 16, top: 8, ...SIZE });
    expect((await inside.raw().toBuffer()).equals(before)).toBe(true);
    const side = sharp(picture.bytes).extract({ left: 0, top: 0, width: 16, height: 72 });
    expect((await side.stats()).entropy).toBeGreaterThan(1);
  });
}
