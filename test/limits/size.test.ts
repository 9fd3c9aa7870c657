import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSize, PRESETS, parseSize } from '../../src/limits/size.ts';

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
