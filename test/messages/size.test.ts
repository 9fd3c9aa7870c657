import fc from 'fast-check';
import { expect, test } from 'vitest';
import { autocompleteSize, formatSize, PRESETS, parseSize } from '../../src/messages/size.ts';

const side = fc.integer({ min: 64, max: 2_048 });
const size = fc.record({ width: side, height: side });

test('every size within the limits is read as it is written, whatever stands between its sides', () => {
  fc.assert(
    fc.property(size, fc.constantFrom('x', 'X', '×', '*', ' x ', ' × '), (wanted, by) => {
      expect(parseSize(` ${wanted.width}${by}${wanted.height} `)).toEqual(wanted);
      expect(parseSize(formatSize(wanted))).toEqual(wanted);
    }),
  );
});

test('whatever is typed: a size within the limits, or none', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789x×*. -e') }),
    fc.tuple(fc.integer(), fc.integer()).map((sides) => sides.join('x')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const read = parseSize(text);
      for (const length of Object.values(read ?? {})) {
        expect(Number.isInteger(length) && length >= 64 && length <= 2_048).toBe(true);
      }
    }),
  );
});

test.each([
  '',
  'x',
  '512',
  '63x64',
  '64x63',
  '2049x64',
  '64x2049',
  '512.5x512',
  '-512x512',
  '1e3x512',
  '512x512x512',
])('“%s” is no size', (text) => {
  expect(parseSize(text)).toBeUndefined();
});

test.each(Object.entries(PRESETS))(
  'the preset %s is read by its name, and within the limits',
  (name, preset) => {
    expect(parseSize(name.toUpperCase())).toEqual(preset);
    expect(parseSize(formatSize(preset))).toEqual(preset);
  },
);

test('nothing typed offers every preset, and part of a name or of a number those that match', () => {
  expect(autocompleteSize('')).toHaveLength(Object.keys(PRESETS).length);
  expect(autocompleteSize('WIDE').map(({ value }) => value)).toEqual(['1344x768']);
  expect(autocompleteSize('512').map(({ value }) => value)).toEqual(['512x512', '512x768', '768x512']);
});

test('a size that is typed out is offered first, once', () => {
  expect(autocompleteSize('640x480')[0]).toEqual({ name: '640 × 480', value: '640x480' });
  expect(autocompleteSize('512x512').filter(({ value }) => value === '512x512')).toHaveLength(1);
});

test('whatever is offered can be read, and is short enough for Discord', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 5 }), size.map(formatSize)), (typed) => {
      const offered = autocompleteSize(typed);
      expect(offered.length).toBeLessThanOrEqual(25);
      for (const { name, value } of offered) {
        expect(parseSize(value)).toBeDefined();
        expect(name.length).toBeLessThanOrEqual(100);
      }
      expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
    }),
  );
});
