import fc from 'fast-check';

const SURROGATES = { first: 0xd8_00, count: 0x8_00 };
const LAST = 0x10_ff_ff;

const characterAt = (index: number) =>
  String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count);

/**
 * Every code point there is, as a unit of strings. fast-check's own `binary` is the same, but keeps a map of all of
 * them: a second of work and 85 MB in every process that asks for it.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES.count })
  .map(characterAt, (value) => {
    const point = typeof value === 'string' ? (value.codePointAt(0) ?? 0) : 0;
    const index = point < SURROGATES.first ? point : point - SURROGATES.count;
    if (characterAt(index) !== value) throw new TypeError('not one code point');
    return index;
  });
