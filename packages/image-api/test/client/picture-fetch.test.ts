import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { PICTURE_TYPES, pictureTypeOf } from '../../src/client/picture-fetch.ts';

const drawing = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#c60' } });

test.each(['png', 'jpeg', 'webp', 'gif'] as const)('%s is known by its bytes', async (format) => {
  expect(pictureTypeOf(await drawing().toFormat(format).toBuffer())).toBe(`image/${format}`);
});

test.each([
  ['nothing', ''],
  ['a page', '<!doctype html><html></html>'],
  ['an SVG drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['an answer', '{"success":true}'],
  ['a sound in the container of WebP', 'RIFF\x24\0\0\0WAVEfmt '],
  ['half a signature', '\x89PNG'],
])('%s is not a picture', (_name, content) => {
  expect(pictureTypeOf(Buffer.from(content, 'latin1'))).toBeUndefined();
});

test('any bytes are classified without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect([...PICTURE_TYPES, undefined]).toContain(pictureTypeOf(bytes));
    }),
  );
});
