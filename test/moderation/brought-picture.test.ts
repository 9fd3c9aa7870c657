import { cpuMsUntil } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { longWebp } from '../../packages/image-service/test/support/brought-pictures.ts';
import { createBroughtCopies } from '../../src/moderation/brought-picture.ts';
import { photograph } from '../support/picture-world.ts';

test('a picture that arrives slowly keeps no other report waiting for its copy', async () => {
  const { bytes } = await photograph();
  let arrive = (_: Uint8Array) => {};
  const arrives = new Promise<Uint8Array>((resolve) => {
    arrive = resolve;
  });
  const copyOf = createBroughtCopies({
    fetchFile: ({ name }) => (name === 'slow.png' ? arrives : Promise.resolve(bytes)),
  });
  const named = (name: string) => ({
    own: true as const,
    file: { name, url: 'https://cdn.invalid', size: 9 },
  });
  const slow = copyOf(named('slow.png'));
  expect(await copyOf(named('cat.png'))).toMatchObject({ copy: expect.stringMatching(/^UklGR/) });
  arrive(bytes);
  expect(await slow).toMatchObject({ copy: expect.stringMatching(/^UklGR/) });
});

test('of an animation of 40,000 pictures the first is copied in no longer than it takes alone', async () => {
  const bytes = await longWebp(40_000);
  const copyOf = createBroughtCopies({ fetchFile: () => Promise.resolve(bytes) });
  const file = { name: 'long.webp', url: 'https://cdn.invalid', size: bytes.length };
  const copy = async () => {
    expect(await copyOf({ own: true, file })).toMatchObject({ copy: expect.stringMatching(/^UklGR/) });
  };
  expect(await cpuMsUntil(copy)).toBeLessThan(1_000);
});
