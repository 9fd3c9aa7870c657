import { LIMITS, WORKFLOWS } from '@darkroom/image-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaOf, formatSize, PRESETS } from '../../src/limits/size.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { likelySize, readSize, suggestSizes } from '../../src/requests/sizes.ts';

const valuesFor = (typed: string) => suggestSizes(typed, en.sizes).map(({ value }) => value);

test.each([
  ['Portrait', '512x768'],
  ['port', '512x768'],
  ['WIDE', '1344x768'],
  ['large', '1024x1024'],
  ['large port', '832x1216'],
  ['hochformat', '512x768'],
  ['1024×768', '1024x768'],
  ['1:1', '512x512'],
  ['3:2', '624x416'],
  ['2/3', '416x624'],
  ['16:9', '680x384'],
  ['1,5:1', '624x416'],
])('%j is %s', (typed, size) => {
  const read = readSize(typed);
  expect(read && formatSize(read)).toBe(size);
});

test.each(['', 'po', 'enormous', '3:0', '0:3', '50:1', '3:2:1', '32x32', '3x2'])('%j is no size', (typed) => {
  expect(readSize(typed)).toBeUndefined();
});

test.each([
  ['potrait', 'Portrait'],
  ['Lanscape', 'Landscape'],
  ['large sqaure', 'Large square'],
  ['hochfromat', 'Portrait'],
  ['4096x4096', '2048x2048'],
  ['32x512', '64x512'],
  ['1024 768', '1024x768'],
  ['1024', '1024x1024'],
  ['1024px by 768px', '1024x768'],
  ['enormous', undefined],
  ['50:1', undefined],
  ['', undefined],
])('%j may have been meant to be %j', (typed, meant) => {
  expect(likelySize(typed, en.sizes)).toBe(meant);
});

test('what a size may have been meant to be is said in the member’s language', () => {
  expect(likelySize('potrait', de.sizes)).toBe('Hochformat');
});

test('whatever a size may have been meant to be can be read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,6}[x, ]\d{1,6}$/)), (typed) => {
      const meant = likelySize(typed, en.sizes);
      expect(meant === undefined || readSize(meant)).toBeTruthy();
    }),
  );
});

const part = fc.integer({ min: 1, max: 60 });
const ratio = fc.tuple(part, part).filter(([across, up]) => across <= 20 * up && up <= 20 * across);

test('a ratio is about as many pixels as its workflow likes best, never more than are allowed, in multiples of 8', () => {
  fc.assert(
    fc.property(
      ratio,
      fc.constantFrom(...WORKFLOWS),
      fc.option(fc.integer({ min: 300 ** 2, max: 2_048 ** 2 }), { nil: undefined }),
      ([across, up], workflow, mostPixels) => {
        const read = readSize(`${across}:${up}`, { workflow, mostPixels });
        if (!read) throw new Error('expected a size');
        const liked = workflow === 'anime' || workflow === 'z-image' ? 1_024 ** 2 : 512 ** 2;
        const area = Math.min(liked, mostPixels ?? liked);
        expect(areaOf(read)).toBeLessThanOrEqual(area);
        // Longer ones end at the longest side.
        if (across <= 4 * up && up <= 4 * across) expect(areaOf(read)).toBeGreaterThan(area * 0.85);
        for (const side of [read.width, read.height]) {
          expect(side % 8).toBe(0);
          expect(side >= LIMITS.width.min && side <= LIMITS.width.max).toBe(true);
        }
        expect(read.width / read.height / (across / up)).toBeGreaterThan(0.88);
        expect(read.width / read.height / (across / up)).toBeLessThan(1.13);
      },
    ),
  );
});

test('nothing typed offers every preset and some ratios, anything else what it may become', () => {
  expect(valuesFor('').slice(0, 7)).toEqual(Object.values(PRESETS).map(formatSize));
  expect(valuesFor('')).toContain('16:9');
  expect(valuesFor('WIDE')).toEqual(['1344x768']);
  expect(valuesFor('port')).toEqual(['512x768', '832x1216']);
  expect(valuesFor('512')).toEqual(['512x512', '512x768', '768x512']);
  expect(valuesFor('16')[0]).toBe('16:9');
  expect(valuesFor('5:4')).toEqual(['5:4']);
  expect(valuesFor('enormous')).toEqual([]);
});

test('a preset can be typed by its name in every language, as it is offered', () => {
  for (const { sizes } of [en, de])
    expect(Object.values(sizes).map((name) => readSize(name))).toEqual(Object.values(PRESETS));
  expect(suggestSizes('quer', de.sizes)[0]).toEqual({ name: 'Querformat (768 × 512)', value: '768x512' });
});

test('a size that is typed out is offered first, once', () => {
  expect(suggestSizes('640x480', en.sizes)[0]).toEqual({ name: '640 × 480', value: '640x480' });
  expect(valuesFor('512x512').filter((value) => value === '512x512')).toHaveLength(1);
  expect(suggestSizes('3:2', en.sizes)[0]).toEqual({ name: '3:2', value: '3:2' });
});

test('whatever is offered can be read, and is short enough for Discord', () => {
  const side = fc.integer({ min: 64, max: 2_048 });
  const pixels = fc.record({ width: side, height: side }).map(formatSize);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 5 }),
        pixels,
        ratio.map((sides) => sides.join(':')),
      ),
      (typed) => {
        const offered = suggestSizes(typed, en.sizes);
        expect(offered.length).toBeLessThanOrEqual(25);
        for (const { name, value } of offered) {
          expect(readSize(value)).toBeDefined();
          expect(name.length).toBeLessThanOrEqual(100);
        }
        expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
      },
    ),
  );
});
