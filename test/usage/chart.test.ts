import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { scaleTo, WIDTH } from '../../src/usage/chart/month-drawing.ts';
import { render } from '../../src/usage/chart/render.ts';
import type { UsagePicture } from '../../src/usage/chart/usage-picture.ts';

const month = (changes: Partial<UsagePicture> = {}): UsagePicture => ({
  title: 'November 2026',
  totals: [{ label: 'Pictures', value: '482' }],
  days: Array.from({ length: 30 }, (_, day) => ({
    label: `${day + 1}`,
    pictures: day,
    failed: day === 12 ? 5 : 0,
    credits: 2 * day,
  })),
  workflows: [{ name: 'default', pictures: 400 }],
  words: en.usage.words,
  locale: 'en',
  ...changes,
});

const share = (_: unknown, nth: number) => ({ name: `${nth + 1}`, pictures: 9 - nth });

/** Where a part of the drawing is, in its own units. */
interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

const WHOLE: Region = { left: 0, top: 0, width: WIDTH, height: 660 };

/** How many pixels of a region are about as light as text, or of this colour. */
async function count(
  png: Uint8Array,
  region: Region,
  isCounted: (r: number, g: number, b: number) => boolean,
) {
  const image = sharp(png);
  const scale = (await image.metadata()).width / WIDTH;
  const scaled = (value: number) => Math.round(value * scale);
  const { data, info } = await image
    .extract({
      left: scaled(region.left),
      top: scaled(region.top),
      width: scaled(region.width),
      height: scaled(region.height),
    })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let counted = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    if (isCounted(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) counted += 1;
  }
  return counted;
}

const isText = (r: number, g: number, b: number) =>
  Math.min(r, g, b) > 120 && Math.max(r, g, b) - Math.min(r, g, b) < 40;
const isRed = (r: number, g: number, b: number) => r > 200 && g < 120 && b < 120;
const isAmber = (r: number, g: number, b: number) => r > 200 && g > 140 && b < 100;

describe.each([
  ['the title', { left: 40, top: 25, width: 400, height: 45 }],
  ['a total', { left: 40, top: 90, width: 200, height: 45 }],
  ['the legend', { left: 640, top: 30, width: 330, height: 30 }],
  ['the days', { left: 60, top: 480, width: 880, height: 40 }],
  ['the name of a workflow', { left: 40, top: 586, width: 140, height: 30 }],
  ['the heading of the workflows', { left: 40, top: 540, width: 300, height: 34 }],
])('the text of %s', (_, region) => {
  test('stands in the pixels, and is gone without the typeface that is shipped', async () => {
    expect(await count(render(month()), region, isText)).toBeGreaterThan(50);
    expect(await count(render(month(), { fontFiles: [] }), region, isText)).toBe(0);
  });
});

test('what failed is red, and credits are a line where there are any', async () => {
  const png = render(month());
  expect(await count(png, WHOLE, isRed)).toBeGreaterThan(500);
  expect(await count(png, WHOLE, isAmber)).toBeGreaterThan(500);
  const days = month().days.map((day) => ({ ...day, failed: 0, credits: 0 }));
  const free = render(month({ days }));
  expect(await count(free, { ...WHOLE, top: 200, height: 310 }, isRed)).toBe(0);
  expect(await count(free, WHOLE, isAmber)).toBe(0);
});

test('the line of credits ends before the days that are yet to come', async () => {
  const upTo = (last: number) =>
    month({
      days: month().days.map((day, nth) => ({ ...day, credits: nth < last ? 2 : null })),
    });
  const [left, right] = [60, 500].map((left) => ({ left, top: 200, width: 440, height: 310 })) as [
    Region,
    Region,
  ];
  const half = render(upTo(15));
  expect(await count(half, left, isAmber)).toBeGreaterThan(500);
  expect(await count(half, right, isAmber)).toBe(0);
  expect(await count(render(upTo(1)), left, isAmber)).toBeGreaterThan(20);
});

test.each([
  [
    'a month without pictures',
    {
      days: month().days.map((day) => ({ ...day, pictures: 0, failed: 0, credits: 0 })),
      workflows: [],
    },
    869,
  ],
  ['one with a bar for each of six workflows', { workflows: month().days.slice(0, 6).map(share) }, 1296],
  [
    'one with numbers that are very large',
    { days: month().days.map((day) => ({ ...day, pictures: 9e9, credits: 1e12 })) },
    1056,
  ],
])('%s is as tall as what it shows', async (_, changes, height) => {
  expect(await sharp(render(month(changes))).metadata()).toMatchObject({ width: 1600, height });
});

test('names that are too long, or of any script and character, stay in their column', async () => {
  const beside = (name: string) =>
    count(
      render(month({ workflows: [{ name, pictures: 1 }] })),
      { left: 180, top: 586, width: 12, height: 30 },
      isText,
    );
  expect(await beside('x'.repeat(3_000))).toBe(0);
  const name = fc.string({
    unit: fc.oneof(fc.constantFrom(...'<b>&"雪i\u0000\ud800'), fc.string({ unit: anyCodePoint })),
  });
  await fc.assert(
    fc.asyncProperty(name, async (one) => {
      expect(await beside(one)).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test('a scale ends at a round number that is not far above the largest', () => {
  expect([0, 3, 18, 35, 1_050].map((largest) => scaleTo(largest))).toEqual([
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
    [0, 5, 10, 15, 20],
    [0, 10, 20, 30, 40],
    [0, 300, 600, 900, 1_200],
  ]);
  fc.assert(
    fc.property(fc.double({ min: 4, max: 1e15, noNaN: true }), (largest) => {
      const top = scaleTo(largest).at(-1) ?? 0;
      expect(top).toBeGreaterThanOrEqual(largest);
      expect(top).toBeLessThan(2.01 * largest);
    }),
  );
});
