import { failureOf, until } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { InputPicture, Source } from '../../../src/engines/engine.ts';
import { createFakeSdcpp } from '../../support/fake-sdcpp.ts';
import { createFakeWebui, type FakeWebuiOptions, picture as webuiPicture } from '../../support/fake-webui.ts';
import { inputs, noise } from '../../support/inputs.ts';
import { engineOn } from '../../support/webui-engine.ts';

const SIZE = { width: 84, height: 72 };
/** What the fakes draw. */
const DRAWN = [107, 53, 80];
const LARGE = { width: 168, height: 144 };

async function begun(source: (image: InputPicture, mask: InputPicture) => Source) {
  const { input, readInput } = inputs();
  const image = await input(noise(SIZE));
  const data = new Uint8Array(SIZE.width * SIZE.height).fill(255, 0, SIZE.width * 30);
  const mask = await input({ ...SIZE, channels: 1, data });
  return {
    drawing: { ...SIZE, source: source(image, mask) },
    given: { readInput },
    before: await readInput(image),
  };
}

const edit = (strength = 0.4) => begun((image) => ({ operation: 'edit', images: [image], strength }));
const inpaint = () => begun((image, mask) => ({ operation: 'edit', images: [image], mask, strength: 0.9 }));
const margins = { left: 12, top: 8, right: 0, bottom: 5 };
const expand = async () => {
  const { drawing, ...rest } = await begun((image) => ({ operation: 'expand', image, margins }));
  return { ...rest, drawing: { ...drawing, width: 96, height: 85, prompt: '' } };
};
const upscale = async () => {
  const { drawing, ...rest } = await begun((image) => ({ operation: 'upscale', image, scale: 2 }));
  return { ...rest, drawing: { ...drawing, ...LARGE, prompt: '' } };
};

async function webuiWorld(options: FakeWebuiOptions = {}) {
  const webui = await createFakeWebui(options);
  return { webui, ...engineOn([webui]) };
}

async function sdcppWorld() {
  const sdcpp = await createFakeSdcpp();
  return { sdcpp, ...engineOn([sdcpp]) };
}

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
const sizeOf = async (base64 = '') => {
  const { width, height, hasAlpha } = await sharp(Buffer.from(base64, 'base64')).metadata();
  return { width, height, hasAlpha };
};

/** That only the first 30 rows were painted over. */
async function expectRestOf(before: Uint8Array, after: Uint8Array): Promise<void> {
  const [was, is] = [await pixels(before), await pixels(after)];
  const painted = SIZE.width * 30 * 3;
  expect(is.subarray(painted).equals(was.subarray(painted))).toBe(true);
  expect([...is.subarray(painted - 3, painted)]).toEqual(DRAWN);
}

test('a WebUI is given the picture with the words, in a size that it samples', async () => {
  const { webui, begin } = await webuiWorld();
  const { drawing, given } = await edit();
  const { picture } = begin({ ...drawing, prompt: 'a fox' }, given);
  const request = await webui.request();
  expect(request.call).toBe('img2img');
  expect(request.body).toMatchObject({ prompt: 'a fox', denoising_strength: 0.4, width: 88, height: 72 });
  expect(request.body).not.toHaveProperty('mask');
  expect(await sizeOf(request.body.init_images?.[0])).toEqual({ ...SIZE, hasAlpha: false });
  await request.finish();
  expect(await picture).toMatchObject(SIZE);
});

test('what a mask leaves out is exactly as it was after a WebUI, whatever that drew there', async () => {
  const { webui, begin } = await webuiWorld();
  const { drawing, given, before } = await inpaint();
  const { picture } = begin(drawing, given);
  const request = await webui.request();
  expect(request.body).toMatchObject({
    denoising_strength: 0.9,
    inpainting_fill: 1,
    inpaint_full_res: false,
  });
  expect(await sizeOf(request.body.mask)).toMatchObject(SIZE);
  await request.finish();
  await expectRestOf(before, (await picture).bytes);
});

test('a picture is continued by a WebUI, and stands in the result as it was', async () => {
  const { webui, begin } = await webuiWorld();
  const { drawing, given, before } = await expand();
  const { picture } = begin(drawing, given);
  const request = await webui.request();
  expect(request.body.denoising_strength).toBe(1);
  expect(await sizeOf(request.body.init_images?.[0])).toMatchObject({ width: 96, height: 85 });
  await request.finish();
  const { bytes, ...about } = await picture;
  expect(about).toMatchObject({ width: 96, height: 85 });
  const inside = await sharp(bytes)
    .extract({ left: 12, top: 8, ...SIZE })
    .raw()
    .toBuffer();
  expect(inside.equals(await pixels(before))).toBe(true);
  expect([...(await pixels(bytes)).subarray(0, 3)]).toEqual(DRAWN);
});

test('a WebUI enlarges a picture to the exact size, with a network', async () => {
  const { webui, begin } = await webuiWorld();
  const { drawing, given } = await upscale();
  const { picture } = begin(drawing, given);
  const request = await webui.request();
  expect(request.call).toBe('extra-single-image');
  expect(request.body).toMatchObject({ upscaler_1: 'R-ESRGAN 4x+', ...LARGE });
  await request.finish();
  expect(await picture).toMatchObject(LARGE);
});

test('what a server can make of pictures is found by asking it', async () => {
  const PAINTED = { edit: { images: 1, mask: true, strength: true }, expand: {} };
  const { engine } = await webuiWorld();
  expect(await engine.operations?.('default')).toEqual({ ...PAINTED, upscale: {} });
  expect(await engine.operations?.('rr3')).toEqual({});
  const { engine: plain } = await webuiWorld({ upscalers: ['None', 'Lanczos', 'Nearest'] });
  expect(await plain.operations?.('anime')).toEqual(PAINTED);
  const { engine: jobs } = await sdcppWorld();
  expect(await jobs.operations?.('default')).toEqual(PAINTED);
});

test('of two servers the one that can enlarge pictures does', async () => {
  const [sdcpp, webui] = [await createFakeSdcpp(), await createFakeWebui()];
  const { begin } = engineOn([sdcpp, webui]);
  const { drawing, given } = await upscale();
  const { picture } = begin(drawing, given);
  await (await webui.request()).finish();
  expect(await picture).toMatchObject(LARGE);
  expect(sdcpp.jobs).toEqual([]);
});

test('stable-diffusion.cpp is given picture and mask in its job, which another process finishes', async () => {
  const { sdcpp, begin } = await sdcppWorld();
  const { drawing, given, before } = await inpaint();
  const first = begin(drawing, given);
  const job = await sdcpp.job();
  expect(job.body).toMatchObject({ strength: 0.9, width: 88, height: 72 });
  for (const sent of [job.body.init_image, job.body.mask_image])
    expect(await sizeOf(sent)).toMatchObject(SIZE);
  await until(() => first.remembered.length > 0, 'the job is remembered');
  first.stop('closing');
  expect(await failureOf(first.picture)).toBe('closing');
  await sdcpp.finish(job);
  const after = begin(drawing, { ...given, remembered: first.remembered[0] });
  await expectRestOf(before, (await after.picture).bytes);
  expect(sdcpp.jobs).toHaveLength(1);
});

test('stable-diffusion.cpp continues a picture', async () => {
  const { sdcpp, begin } = await sdcppWorld();
  const { drawing, given } = await expand();
  const { picture } = begin({ ...drawing, prompt: 'a fox' }, given);
  const job = await sdcpp.job();
  expect(job.body).toMatchObject({ strength: 1, width: 96, height: 88 });
  await sdcpp.finish(job);
  expect(await picture).toMatchObject({ width: 96, height: 85 });
});

test('a server on which an enlargement has failed is free, though it tells of that until it draws again', async () => {
  const { webui, begin, clock } = await webuiWorld();
  const { drawing, given } = await upscale();
  const failing = begin(drawing, given);
  (await webui.request()).fail();
  expect(await failureOf(failing.picture)).toMatchObject({ name: 'DrawingError' });
  webui.occupy(true);
  const next = begin();
  const slept = clock.sleeps.length;
  await until(() => clock.sleeps.length > slept + 3, 'it waits for somebody else');
  expect(webui.requests).toHaveLength(1);
  webui.occupy(false);
  await (await webui.request(1)).finish();
  expect(await next.picture).toMatchObject({ width: 128 });
  const again = begin(drawing, given);
  (await webui.request(2)).fail();
  await failureOf(again.picture);
  const last = begin();
  await (await webui.request(3)).finish();
  expect(await last.picture).toMatchObject({ width: 128 });
});

const CALLS = [
  ['img2img', edit],
  ['extra-single-image', upscale],
] as const;

test.each(CALLS)(
  'a %s that is refused fails in words, and one without a picture, too',
  async (call, source) => {
    const { webui, begin } = await webuiWorld();
    const { drawing, given } = await source();
    const failure = () => failureOf(begin(drawing, given).picture);
    webui.answer(`POST /sdapi/v1/${call}`, { status: 422, body: { detail: 'Invalid encoded image' } });
    expect(await failure()).toMatchObject({
      name: 'DrawingError',
      message: 'The image server refused this: Invalid encoded image',
    });
    webui.answer(`POST /sdapi/v1/${call}`, { status: 413, body: 'too large' });
    expect(await failure()).toMatchObject({
      name: 'DrawingError',
      message: 'The image server takes no pictures as large as this one.',
    });
    const empty = begin(drawing, given);
    await (await webui.request()).finish(['']);
    expect(await failureOf(empty.picture)).toMatchObject({
      message: 'What the image server sent is not a picture.',
    });
  },
);

test.each(CALLS)(
  'a %s that is not let in is asked for again, and one that is cut, once more',
  async (call, source) => {
    const { webui, begin } = await webuiWorld();
    const { drawing, given } = await source();
    for (const answer of [
      { status: 401, body: {} },
      { status: 500, body: '<html>' },
      { cut: { images: ['aGVsbG8='], image: 'aGVsbG8=' } },
    ]) {
      webui.answer(`POST /sdapi/v1/${call}`, answer);
      const { picture } = begin(drawing, given);
      await (await webui.request(webui.requests.length)).finish();
      expect(await picture).toMatchObject({ width: drawing.width, height: drawing.height });
    }
  },
);

test.each(CALLS)('a %s that is stopped is interrupted', async (_call, source) => {
  const { webui, begin } = await webuiWorld();
  const { drawing, given } = await source();
  const { picture, stop } = begin(drawing, given);
  const request = await webui.request();
  stop('deadline');
  expect(await failureOf(picture)).toBe('deadline');
  expect(request.interrupted).toBe(true);
});

test('a server that falls silent while it enlarges has lost the picture, and the next one enlarges it', async () => {
  const [one, other] = [await createFakeWebui(), await createFakeWebui()];
  const { begin } = engineOn([one, other], { timeoutMs: 1_000, silenceMs: 3_000 });
  const { drawing, given } = await upscale();
  const { picture } = begin(drawing, given);
  await one.request();
  one.answer('GET /', 'silence', 100);
  one.answer('POST /sdapi/v1/interrupt', 'silence', 100);
  await (await other.request()).finish([await webuiPicture({ ...LARGE, prompt: '' })]);
  expect(await picture).toMatchObject(LARGE);
});
