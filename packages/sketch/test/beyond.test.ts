import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { gridded } from '../src/noise.ts';
import { sizeOf } from '../src/sketch.ts';
import { decoded, difference, openSketcher, sketchRequest } from './support/sketch.ts';

const sketch = openSketcher();
afterAll(() => sketch.close());

const MARGINS = { left: 40, top: 30, right: 24, bottom: 50 };

/** A part of a picture as 8-bit RGB. */
const part = (bytes: Uint8Array, left: number, top: number, width: number, height: number) =>
  sharp(bytes).extract({ left, top, width, height }).removeAlpha().raw().toBuffer();

/** The columns of an 8-bit RGB picture that is so many pixels wide. */
const columnsOf = (pixels: Uint8Array, width: number): Uint8Array[] =>
  Array.from({ length: width }, (_, left) =>
    pixels.filter((_, index) => Math.floor(index / 3) % width === left),
  );

const SCENES = [
  'a red fox in the snow',
  'a city skyline at night',
  'a street in the rain',
  'a coral reef',
  'a bowl of ramen',
  'portrait of a woman with green eyes',
  'a galaxy',
  'a meadow with flowers',
  'an astronaut on the moon',
  'abstract ribbons of blue and gold',
];

it.each(SCENES)('paints "%s" wider and taller, with the same scene in its middle', async (prompt) => {
  const { picture } = await sketch.paint({ prompt });
  const { picture: larger } = await sketch.paint({ prompt, margins: MARGINS });
  const { picture: other } = await sketch.paint({ prompt, seed: 8 });
  expect(larger).toMatchObject(sizeOf(sketchRequest({ margins: MARGINS })));
  const first = await decoded(picture);
  const middle = await part(larger.bytes, MARGINS.left, MARGINS.top, 96, 96);
  expect(difference(middle, first)).toBeLessThan(0.5 * difference(await decoded(other), first));
});

it.each(SCENES)('goes on at the border of "%s" as smoothly as within it', async (prompt) => {
  const { picture } = await sketch.paint({ prompt });
  const { picture: wide } = await sketch.paint({
    prompt,
    margins: { left: 0, top: 0, right: 48, bottom: 0 },
    kept: { bytes: picture.bytes, left: 0, top: 0 },
  });
  const columns = columnsOf(await decoded(wide), 144);
  const steps = columns.slice(1).map((column, index) => difference(columns[index] ?? column, column));
  expect(steps[95]).toBeLessThanOrEqual(1.5 * Math.max(...steps.slice(8, 88)));
});

it('leaves what is kept as it is, to the pixel', async () => {
  const { picture } = await sketch.paint();
  const { left, top } = MARGINS;
  const kept = { bytes: picture.bytes, left, top };
  const { picture: larger } = await sketch.paint({ margins: MARGINS, kept });
  expect(await part(larger.bytes, left, top, 96, 96)).toEqual(await decoded(picture));
});

it('keeps a poster within its border, and draws the border around all of it', async () => {
  const { picture } = await sketch.paint({ workflow: 'rr3' });
  const kept = { bytes: picture.bytes, left: MARGINS.left, top: MARGINS.top };
  const { picture: larger } = await sketch.paint({ workflow: 'rr3', margins: MARGINS, kept });
  const inside = 8;
  const side = 96 - 2 * inside;
  const was = await part(picture.bytes, inside, inside, side, side);
  expect(await part(larger.bytes, MARGINS.left + inside, MARGINS.top + inside, side, side)).toEqual(was);
  const [corner, oldCorner] = await Promise.all([
    part(picture.bytes, 0, 0, 1, 1),
    part(larger.bytes, MARGINS.left, MARGINS.top, 1, 1),
  ]);
  expect(await part(larger.bytes, 0, 0, 1, 1)).toEqual(corner);
  expect(difference(oldCorner, corner)).toBeGreaterThan(8);
});

it('computes a grid over very much more than a frame in fewer points', () => {
  let points = 0;
  const field = gridded(
    () => {
      points += 1;
      return 0.5;
    },
    { left: -100, top: -30, right: 100, bottom: 31 },
    1 / 200,
  );
  expect(points).toBeLessThan(1.01 * 2048 ** 2);
  expect(field(99.9, 30.9)).toBe(0.5);
});

it('shows the same at twice the size', async () => {
  const { picture } = await sketch.paint();
  const { picture: large } = await sketch.paint({ width: 192, height: 192 });
  const { picture: other } = await sketch.paint({ seed: 8 });
  const shrunk = await sharp(large.bytes).resize(96, 96).removeAlpha().raw().toBuffer();
  const first = await decoded(picture);
  expect(difference(shrunk, first)).toBeLessThan(0.5 * difference(await decoded(other), first));
});
