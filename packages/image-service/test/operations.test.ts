import { createImageClient, type Submission } from '@darkroom/image-api';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { editingEngine, paint } from './support/engines.ts';
import { type ServiceWorld, type ServiceWorldOptions, serviceWorld } from './support/service.ts';

/** A service with an engine for pictures, and a client with the key of its first account. */
async function studio(options: ServiceWorldOptions = {}) {
  const engine = editingEngine();
  const world = await serviceWorld({ engine, ...options });
  const client = createImageClient({ baseUrl: world.url });
  onTestFinished(() => client.close());
  return { world, engine, client, apiKey: world.key };
}

/** Submits it and waits for its picture; returns the task's id. */
async function made(world: ServiceWorld, submission: Submission): Promise<string> {
  const id = await world.submitted(submission);
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
  return id;
}

const photograph = async (width = 320, height = 200) => (await paint({ width, height })).bytes;

test('an upload is edited, enlarged, widened and freed of its background, each in its own size', async () => {
  const { world, engine, client, apiKey } = await studio();
  const { id } = await client.upload(await photograph(), { apiKey });
  const image = `upload:${id}`;
  await made(world, { operation: 'edit', image, prompt: 'in the snow', strength: 0.4 });
  await made(world, { operation: 'upscale', image, prompt: '' });
  await made(world, { operation: 'expand', image, prompt: 'a meadow', expand: { left: 64, right: 32 } });
  await made(world, { operation: 'remove_background', image, prompt: '' });

  expect(
    engine.drawn.map(({ drawing: { width, height, prompt, source } }) => ({
      width,
      height,
      prompt,
      ...source,
    })),
  ).toMatchObject([
    { operation: 'edit', width: 320, height: 200, prompt: 'in the snow', strength: 0.4 },
    { operation: 'upscale', width: 640, height: 400, prompt: '', scale: 2 },
    { operation: 'expand', width: 416, height: 200, margins: { left: 64, top: 0, right: 32, bottom: 0 } },
    { operation: 'remove_background', width: 320, height: 200, prompt: '' },
  ]);
  const { tasks } = await client.list({ apiKey });
  expect(tasks.map(({ operation, madeFrom }) => [operation, madeFrom])).toEqual([
    ['remove_background', [image]],
    ['expand', [image]],
    ['upscale', [image]],
    ['edit', [image]],
  ]);
});

test('a task is the beginning of the next, with what it was drawn from, through the whole line', async () => {
  const { world, engine } = await studio();
  const fox = await made(world, { prompt: 'a red fox', width: 256, height: 192, seed: 7 });
  const larger = await made(world, { operation: 'upscale', image: `task:${fox}`, scale: 4, prompt: '' });
  await made(world, { operation: 'expand', image: `task:${larger}`, prompt: '', expand: { top: 100 } });

  const [, upscaled, expanded] = engine.drawn.map(({ drawing }) => drawing);
  expect(upscaled).toMatchObject({
    width: 1024,
    height: 768,
    source: { image: { width: 256, height: 192, drawing: { prompt: 'a red fox', seed: 7 } } },
  });
  expect(expanded).toMatchObject({
    width: 1024,
    height: 868,
    source: { image: { drawing: { source: { operation: 'upscale', image: { drawing: { seed: 7 } } } } } },
  });
});

/** Three stripes of equal width: white, black, and transparent. */
function stripes({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const colours = [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
    [0, 0, 0, 0],
  ];
  const pixels = Array.from(
    { length: width * height },
    (_, at) => colours[Math.floor(((at % width) * colours.length) / width)] ?? [],
  );
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

test('a mask arrives in shades of grey: white and transparent are what changes', async () => {
  const { world, engine, client, apiKey } = await studio();
  const size = { width: 96, height: 64 };
  const { id } = await client.upload(await photograph(96, 64), { apiKey });
  const mask = `data:image/png;base64,${(await stripes(size)).toString('base64')}`;
  await made(world, { operation: 'edit', image: `upload:${id}`, mask, prompt: 'a hat' });
  const grey = sharp(engine.drawn[0]?.inputs[1]);
  expect(await grey.metadata()).toMatchObject({ ...size, channels: 1 });
  const row = await grey
    .extract({ left: 0, top: 9, width: 96, height: 1 })
    .extractChannel(0)
    .raw()
    .toBuffer();
  expect([row[10], row[48], row[90]]).toEqual([255, 0, 255]);
});
