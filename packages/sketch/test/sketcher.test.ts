import { createFakeClock } from '@darkroom/time/testing';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { decoded, difference, openSketcher, pixels, sketchRequest } from './support/sketch.ts';

const sketch = openSketcher();
afterAll(() => sketch.close());

it('draws the same pixels for the same drawing, in a worker as in this thread', async () => {
  const first = await sketch.paint({ width: 96, height: 96 });
  const second = await sketch.paint({ width: 96, height: 96 });
  expect(await decoded(first.picture)).toEqual(await decoded(second.picture));
  expect(difference(await decoded(first.picture), await pixels())).toBe(0);
});

it.each([
  [64, 64],
  [101, 67],
  [64, 512],
  [700, 75],
])('makes a PNG of exactly %i by %i', async (width, height) => {
  const { picture } = await sketch.paint({ width, height, steps: 4 });
  expect(picture).toMatchObject({ width, height });
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width, height, channels: 3 });
});

it('writes its name and the seed into the file, and nothing of the prompt', async () => {
  const { picture } = await sketch.paint({ prompt: 'a secret zebra', seed: 4711 });
  const text = Buffer.from(picture.bytes).toString('latin1');
  expect(text).toContain('Darkroom sketch engine');
  expect(text).toContain('seed 4711');
  expect(text).not.toContain('zebra');
});

it('writes both seeds into the file of a variation', async () => {
  const { picture } = await sketch.paint({ seed: 7, variation: 12 });
  expect(Buffer.from(picture.bytes).toString('latin1')).toContain('seed 7, variation 12');
});

it('reports rising percents below 100 and small previews of the final shape', async () => {
  const { progress } = await sketch.paint({ width: 640, height: 320, steps: 20 });
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual([...percents].sort((one, other) => one - other));
  expect(Math.min(...percents)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...percents)).toBeLessThanOrEqual(99);
  const previews = progress.flatMap(({ preview }) => preview ?? []);
  expect(previews.length).toBeGreaterThanOrEqual(4);
  for (const preview of previews) {
    expect(preview.length).toBeLessThanOrEqual(20_000);
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 256, height: 128 });
  }
});

it('comes ever closer to the finished picture from preview to preview', async () => {
  const { picture, progress } = await sketch.paint({ width: 128, height: 128, steps: 20 });
  const finished = await decoded(picture);
  const away = await Promise.all(
    progress
      .flatMap(({ preview }) => preview ?? [])
      .map(async (preview) => difference(await sharp(preview).removeAlpha().raw().toBuffer(), finished)),
  );
  expect(away[0]).toBeGreaterThan(2 * Number(away.at(-1)));
  expect(away.at(-1)).toBeLessThan(12);
});

it('reports more passes for more steps', async () => {
  const few = await sketch.paint({ steps: 1, width: 256, height: 256 });
  const many = await sketch.paint({ steps: 50, width: 256, height: 256 });
  expect(many.progress.length).toBeGreaterThan(few.progress.length);
});

it('rejects with an AbortError when given up, and draws the next picture', async () => {
  const control = new AbortController();
  let seen = 0;
  const given = sketch.sketcher.paint(sketchRequest({ width: 2048, height: 2048, steps: 50 }), {
    signal: control.signal,
    onProgress() {
      seen += 1;
      if (seen === 2) control.abort();
    },
  });
  await expect(given).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(seen).toBe(2);
  await expect(sketch.paint()).resolves.toBeDefined();
});

it('draws nothing for a signal that has aborted before', async () => {
  await expect(sketch.paint({}, AbortSignal.abort())).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  );
});

it('gives up what is being drawn and what waits when it is closed', async () => {
  const own = openSketcher();
  const drawings = [1, 2, 3].map((seed) => own.paint({ seed, width: 1024, height: 1024 }));
  const outcomes = Promise.allSettled(drawings);
  await own.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

it('hands the picture out when the pretended time is over, not before', async () => {
  const clock = createFakeClock();
  const own = openSketcher({ paceMs: 12_000, clock });
  const percents: number[] = [];
  let done = false;
  const drawing = own.sketcher
    .paint(sketchRequest(), {
      signal: new AbortController().signal,
      onProgress: ({ percent }) => percents.push(percent),
    })
    .then(() => {
      done = true;
    });
  while (clock.asleep === 0) await clock.settle();
  expect(percents).toEqual([]);
  for (let second = 0; second < 11; second++) {
    await clock.advance(1_000);
    expect(Math.max(0, ...percents)).toBeLessThanOrEqual(((second + 1) / 12) * 100);
  }
  expect(done).toBe(false);
  while (!done) {
    await clock.advance(1_000);
  }
  await drawing;
  expect(percents.at(-1)).toBeGreaterThan(90);
  await own.close();
});
