import { createImageClient } from '@darkroom/image-api';
import { createDeferred, until } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { DrawOptions, InputPicture } from '../../src/engines/engine.ts';
import { createSketchEngine } from '../../src/engines/sketch.ts';
import { isInstalled } from '../../src/engines/upscaling/network.ts';
import { createUpscaler, type Upscaler } from '../../src/engines/upscaling/upscaler.ts';
import { withUpscaling } from '../../src/engines/upscaling/with-upscaling.ts';
import { drawingOf, drawOptions } from '../support/drawings.ts';
import { controlledEngine, endlessEngine, failingEngine, paint } from '../support/engines.ts';
import { serviceWorld } from '../support/service.ts';

function upscalerOf(options: Parameters<typeof createUpscaler>[0] = {}) {
  const upscaler = createUpscaler(options);
  onTestFinished(upscaler.close);
  return upscaler;
}

/** A photograph with edges and tones, and metadata that nobody is to see. */
const photograph = (width: number, height: number) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#345"/><circle cx="40" cy="40" r="30" fill="#e83"/><path d="M0 10L${width} ${height}" stroke="#fff" stroke-width="3"/></svg>`,
    ),
  )
    .flatten()
    .withExif({ IFD0: { Copyright: 'somebody in particular' } })
    .png()
    .toBuffer();

const pixelsOf = async (bytes: Uint8Array, width: number, height: number) =>
  sharp(bytes).removeAlpha().resize(width, height, { fit: 'fill' }).raw().toBuffer();

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  expect(one).toHaveLength(other.length);
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

const LANCZOS = 'the picture is made larger without new detail';

test.each([2, 4] as const)('any picture becomes %i times as large, and shows the same', async (scale) => {
  const bytes = await photograph(150, 90);
  const percents: number[] = [];
  const large = await upscalerOf().enlarge(
    bytes,
    scale,
    drawOptions({ onProgress: ({ percent }) => percents.push(percent) }),
  );
  expect(large).toMatchObject({ width: 150 * scale, height: 90 * scale });
  const { width, height, format, exif } = await sharp(large.bytes).metadata();
  expect({ width, height, format, exif }).toEqual({
    width: 150 * scale,
    height: 90 * scale,
    format: 'png',
    exif: undefined,
  });
  const difference = meanDifference(await pixelsOf(large.bytes, 150, 90), await pixelsOf(bytes, 150, 90));
  expect(difference).toBeLessThan(6);
  expect(percents).toEqual(isInstalled() ? [49, 99] : []);
});

test.runIf(isInstalled())('a network draws otherwise than Lanczos, without seams and rims', async () => {
  const bytes = await photograph(150, 90);
  const large = await upscalerOf().enlarge(bytes, 2, drawOptions());
  const soft = await sharp(bytes).resize(300, 180, { kernel: 'lanczos3' }).png().toBuffer();
  const [drawn, resized] = [await pixelsOf(large.bytes, 300, 180), await pixelsOf(soft, 300, 180)];
  expect(meanDifference(drawn, resized)).toBeGreaterThan(0.3);
  // Around the first part's right border, and in the lower left corner: of one colour both.
  for (const part of [
    { left: 226, top: 0, width: 12, height: 60 },
    { left: 0, top: 170, width: 20, height: 10 },
  ]) {
    const { channels } = await sharp(await sharp(large.bytes).extract(part).png().toBuffer()).stats();
    for (const { min, max } of channels.slice(0, 3)) expect(max - min).toBeLessThanOrEqual(4);
  }
});

test.runIf(isInstalled())('a drawing that is stopped or takes too long is enlarged no further', async () => {
  const bytes = await photograph(700, 700);
  const control = new AbortController();
  const stopped = upscalerOf().enlarge(bytes, 2, {
    signal: control.signal,
    onProgress: () => control.abort('deadline'),
  });
  await expect(stopped).rejects.toBe('deadline');
  const late = upscalerOf({ timeoutMs: 1 }).enlarge(bytes, 2, drawOptions());
  await expect(late).rejects.toThrow('not enlarged in time');
});

test('without a network, whoever asks is told that there is no new detail', () => {
  expect(upscalerOf().shortcoming).toBe(isInstalled() ? undefined : LANCZOS);
});

test('what can be seen through can be seen through when it is larger', async () => {
  const half =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><path d="M32 0H64V64H32Z"/></svg>';
  const large = await upscalerOf().enlarge(await sharp(Buffer.from(half)).png().toBuffer(), 2, drawOptions());
  const alpha = await sharp(large.bytes).extractChannel('alpha').raw().toBuffer();
  expect([alpha[10], alpha[120]]).toEqual([0, 255]);
});

/** What an engine is asked to enlarge. */
async function enlarging(image: InputPicture, bytes: Uint8Array) {
  const readInput: DrawOptions['readInput'] = async () => bytes;
  const { width, height } = image;
  const source = { operation: 'upscale', image, scale: 2 } as const;
  return {
    drawing: drawingOf({ prompt: '', width: 2 * width, height: 2 * height, source }),
    options: drawOptions({ readInput }),
  };
}
const own = (width: number, height: number): InputPicture => {
  const { taskId: _, ...drawing } = drawingOf({ prompt: 'a red fox', width, height });
  return { file: 'own.png', width, height, drawing };
};

test('an engine enlarges its own pictures itself, and others are enlarged for it', async () => {
  const upscaler = upscalerOf();
  const engine = withUpscaling(createSketchEngine({ workers: 1 }), upscaler);
  onTestFinished(engine.close);
  expect(await engine.operations?.('default')).toEqual({
    expand: { ownOnly: true, warning: expect.any(Function) },
    upscale: { warning: expect.any(Function) },
  });
  const bytes = await photograph(64, 64);
  const sketched = await enlarging(own(64, 64), bytes);
  const again = await engine.draw(sketched.drawing, sketched.options);
  const { drawing, options } = await enlarging({ file: 'photograph.png', width: 64, height: 64 }, bytes);
  expect(await engine.rejection?.(drawing)).toBeUndefined();
  const large = await engine.draw(drawing, options);
  const photo = await pixelsOf(bytes, 64, 64);
  expect(meanDifference(await pixelsOf(large.bytes, 64, 64), photo)).toBeLessThan(6);
  expect(meanDifference(await pixelsOf(again.bytes, 64, 64), photo)).toBeGreaterThan(20);
  const upscale = (await engine.operations?.('default'))?.upscale;
  expect(upscale?.warning?.(own(64, 64), '')).toBeUndefined();
  expect(upscale?.warning?.({ file: 'photograph.png', width: 64, height: 64 }, '')).toBe(
    upscaler.shortcoming,
  );
});

test('an engine that enlarges everything is left alone', async () => {
  const operations = { upscale: {} };
  const engine = withUpscaling({ ...failingEngine(), operations: async () => operations }, upscalerOf());
  expect(await engine.operations?.('default')).toBe(operations);
  const { drawing, options } = await enlarging(own(64, 64), await photograph(64, 64));
  await expect(engine.draw(drawing, options)).rejects.toThrow('the brush broke');
});

test('an engine that is away keeps no picture from being enlarged for it', async () => {
  const away = { reason: 'nobody is there', retryAfterMs: 1_000 };
  const engine = withUpscaling({ ...endlessEngine(), rejection: async () => away }, upscalerOf());
  const { drawing, options } = await enlarging(own(40, 40), await photograph(40, 40));
  expect(await engine.rejection?.(drawing)).toBeUndefined();
  expect(await engine.draw(drawing, options)).toMatchObject({ width: 80, height: 80 });
  expect(await engine.rejection?.(drawingOf())).toBe(away);
});

test('a service enlarges an upload and a sketch, and says of the first how', async () => {
  const engine = withUpscaling(createSketchEngine({ workers: 1 }), upscalerOf());
  const world = await serviceWorld({ engine });
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  const upload = await client.upload(await photograph(80, 64), { apiKey: world.key });
  const sketch = await world.submitted({ prompt: 'a red fox', width: 64, height: 64 });
  await world.until(sketch);

  const enlarged = async (image: string) => {
    const answer = await world.submit({ operation: 'upscale', image, prompt: '' });
    const { id, warnings } = JSON.parse(await answer.text()).data;
    expect(await world.until(id)).toMatchObject({ status: 'completed' });
    return { warnings };
  };
  expect(await enlarged(`upload:${upload.id}`)).toEqual({ warnings: isInstalled() ? undefined : [LANCZOS] });
  expect(await enlarged(`task:${sketch}`)).toEqual({ warnings: undefined });
});

test('pictures are enlarged while all slots of their engine are taken, and drawn while others are enlarged', async () => {
  const held = createDeferred<void>();
  const begun: number[] = [];
  const upscaler: Upscaler = {
    shortcoming: undefined,
    async enlarge(_, scale) {
      begun.push(scale);
      if (begun.length > 1) await held.promise;
      return paint({ width: 64 * scale, height: 64 * scale });
    },
    close: async () => undefined,
  };
  const engine = controlledEngine();
  const world = await serviceWorld({ engine: withUpscaling(engine, upscaler), limits: { slots: 1 } });
  const image = `data:image/png;base64,${(await photograph(64, 64)).toString('base64')}`;
  const enlarging = () => world.submitted({ operation: 'upscale', image });

  const fox = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  expect(await world.until(await enlarging())).toMatchObject({ status: 'completed' });
  const tasks = [await enlarging(), await enlarging()];
  await until(async () => begun.length === 2, 'a picture that is being enlarged');
  await drawing.finish();
  expect(await world.until(fox)).toMatchObject({ status: 'completed' });
  const owl = await world.submitted({ prompt: 'an owl' });
  await (await engine.next()).finish();
  expect(await world.until(owl)).toMatchObject({ status: 'completed' });
  expect(begun).toHaveLength(2);
  held.resolve();
  for (const task of tasks) expect(await world.until(task)).toMatchObject({ status: 'completed' });
});
