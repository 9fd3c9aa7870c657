import { anyCodePoint, cpuMsUntil } from '@darkroom/testing';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api-error.ts';
import { examinePicture } from '../../src/inputs/input-picture.ts';
import { animatedPng, jpegOf, longWebp, pngOf, wordyPng } from '../support/brought-pictures.ts';
import { problemOf, serviceWorld } from '../support/service.ts';

const png = await pngOf(80, 64);
const FILES = [png, animatedPng(png), await jpegOf(80, 64), await sharp(png).webp().toBuffer()];

/** A picture with some bytes that are others, or without its end. */
const damaged = fc
  .record({
    file: fc.constantFrom(...FILES),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
    kept: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ file, changes, kept }) => {
    const bytes = Buffer.from(file.subarray(0, Math.ceil(file.length * kept)));
    for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });

test('whatever is brought becomes a PNG within the bounds, or is refused in words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), async (file) => {
      try {
        const { decoded } = await examinePicture(file);
        const { bytes, ...size } = await decoded({ accountId: 1 });
        const { format, width, height } = await sharp(bytes).metadata();
        expect({ format, width, height }).toEqual({ format: 'png', ...size });
        expect(Math.max(width, height)).toBeLessThanOrEqual(2_048);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(error.code).toMatch(/^picture_(unreadable|too_large)$/);
        expect(error.message).toMatch(/^[A-Z].*\.$/);
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['a PNG whose texts unpack to 2 GB', () => wordyPng(40)],
  ['a WebP of 40,000 frames', () => longWebp(40_000)],
])('%s is decoded in no longer than its pixels take', async (_name, make) => {
  const file = await make();
  const decode = async () => {
    const { decoded } = await examinePicture(file);
    expect(await decoded({ accountId: 1 })).toMatchObject({ width: 64, height: 64 });
  };
  expect(await cpuMsUntil(decode)).toBeLessThan(1_000);
});

const UPLOAD = '/v1/index.php?endpoint=upload';

/** A form as somebody may send it: its parts in any order, each with any head, cut anywhere. */
const anyForm = fc
  .record({
    parts: fc.array(
      fc.record({
        name: fc.constantFrom('file', 'image', '', '"', 'file"; x="'),
        filename: fc.option(
          fc.string({ unit: anyCodePoint, maxLength: 8 }).map((name) => name.replaceAll(/[\r\n]/g, '')),
        ),
        more: fc.constantFrom(
          '',
          '\r\ncontent-type: image/png',
          '\r\ncontent-transfer-encoding: base64',
          '\r\n:',
        ),
        body: fc.oneof(fc.constant(png), fc.uint8Array({ maxLength: 40 })),
      }),
      { maxLength: 4 },
    ),
    kept: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ parts, kept }) => {
    const pieces = parts.flatMap(({ name, filename, more, body }) => [
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="${name}"`),
      Buffer.from(`${filename === null ? '' : `; filename="${filename}"`}${more}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]);
    const whole = Buffer.concat([...pieces, Buffer.from('--x--\r\n')]);
    return whole.subarray(0, Math.ceil(whole.length * kept));
  });

test('whatever form is sent, it is an upload or refused, and the service goes on', async () => {
  const world = await serviceWorld({ limits: { perMinute: 100_000 } });
  await fc.assert(
    fc.asyncProperty(anyForm, async (form) => {
      const answer = await world.call(UPLOAD, {
        method: 'POST',
        body: new Uint8Array(form),
        headers: { 'x-api-key': world.key, 'content-type': 'multipart/form-data; boundary=x' },
      });
      expect([200, 400, 422]).toContain(answer.status);
      if (answer.status === 400)
        expect((await problemOf(answer)).code).toMatch(/^(invalid_request|picture_unreadable)$/);
    }),
    { numRuns: 150 },
  );
});
