import { failureOf, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { modelList } from '../../../src/engines/comfyui/workflow-models.ts';
import type { Drawing, Source } from '../../../src/engines/engine.ts';
import { comfyWorld } from '../../support/comfy-engine.ts';
import {
  createFakeComfy,
  FAKE_MODELS,
  type FakeComfyOptions,
  type Fault,
} from '../../support/fake-comfyui.ts';
import { inputs, noise } from '../../support/inputs.ts';

const SIZE = { width: 80, height: 64 };
/** What the fake draws. */
const DRAWN = [53, 80, 107];

/** A ComfyUI, an engine on it, and a picture to begin with. */
async function world(fake: FakeComfyOptions = {}, timeoutMs = WAIT_TIMEOUT_MS) {
  const { draw, ...rest } = await comfyWorld({ fake, timeoutMs });
  const { input, readInput } = inputs();
  const image = await input(noise(SIZE));
  return {
    ...rest,
    image,
    input,
    readInput,
    begin: (source: Source, changes: Partial<Drawing> = {}) =>
      rest.begin({ ...SIZE, source, ...changes }, { readInput }),
  };
}

/** The graph that was handed in last. */
const graphOf = ({ submitted }: { submitted: { graph: object }[] }) => submitted.at(-1)?.graph;

const pixels = (bytes: Uint8Array | undefined) => sharp(bytes).raw().toBuffer();

test.each(['default', 'anime', 'z-image'] as const)(
  'an edit in %s is sampled from the picture, as far as its strength says',
  async (workflow) => {
    const { comfy, begin, image } = await world();
    const { picture } = begin({ operation: 'edit', images: [image], strength: 0.4 }, { workflow });
    expect(await picture).toMatchObject(SIZE);
    expect(graphOf(comfy)).toMatchObject({
      picture: {
        class_type: 'LoadImage',
        inputs: { image: expect.stringMatching(/^darkroom-\w+\.png \[temp\]$/) },
      },
      latent: { class_type: 'VAEEncode', inputs: { pixels: ['fitted', 0] } },
      sample: { inputs: { latent_image: ['latent', 0], denoise: 0.4 } },
    });
  },
);

test('outside a mask the picture stays exactly as it was', async () => {
  const { comfy, begin, image, input, readInput } = await world();
  const data = new Uint8Array(SIZE.width * SIZE.height);
  const mask = await input({ ...SIZE, channels: 1, data: data.fill(255, 0, SIZE.width * 20) });
  const { picture } = begin({ operation: 'edit', images: [image], mask, strength: 0.8 });
  const after = await pixels((await picture).bytes);
  const before = await pixels(await readInput(image));
  const painted = SIZE.width * 20 * 3;
  expect(after.subarray(painted).equals(before.subarray(painted))).toBe(true);
  expect([...after.subarray(0, 3), ...after.subarray(painted - 3, painted)]).toEqual([...DRAWN, ...DRAWN]);
  expect(graphOf(comfy)).toMatchObject({
    mask: { class_type: 'LoadImageMask', inputs: { channel: 'red' } },
    masked: { class_type: 'SetLatentNoiseMask', inputs: { samples: ['latent', 0], mask: ['mask', 0] } },
    sample: { inputs: { latent_image: ['masked', 0], denoise: 0.8 } },
  });
});

const EDITORS = {
  ...FAKE_MODELS,
  diffusion_models: ['flux1-dev-kontext_fp8_scaled.safetensors', 'qwen_image_edit_2509.safetensors'],
  text_encoders: ['clip_l.safetensors', 't5xxl_fp16.safetensors', 'qwen_2.5_vl_7b_fp8.safetensors'],
  vae: ['ae.safetensors', 'qwen_image_vae.safetensors'],
};

test.each([
  [
    'flux1-dev-kontext',
    1,
    { seen: { class_type: 'ReferenceLatent' }, encoder: { class_type: 'DualCLIPLoader' } },
  ],
  [
    'qwen_image_edit',
    3,
    {
      positive: { inputs: { image1: ['picture', 0], image2: ['reference1', 0], image3: ['reference2', 0] } },
    },
  ],
])(
  'a workflow whose model is %s edits in words, and sees up to %i pictures',
  async (model, images, nodes) => {
    const { engine, comfy, begin, image, input } = await world({ models: EDITORS });
    expect(await engine.operations?.('default', model)).toEqual({
      edit: { images, mask: false, strength: false },
      upscale: {},
      remove_background: {},
    });
    const others = [
      await input(noise({ width: 70, height: 90 })),
      await input(noise({ width: 90, height: 70 })),
    ];
    const source: Source = { operation: 'edit', images: [image, ...others].slice(0, images), strength: 0.75 };
    expect(await begin(source, { model, prompt: 'make it night' }).picture).toMatchObject(SIZE);
    expect(comfy.requests('/upload/image')).toHaveLength(images);
    expect(graphOf(comfy)).toMatchObject({ ...nodes, sample: { inputs: { denoise: 1 } } });
  },
);

test('a picture is continued on its sides, and stands in the result as it was', async () => {
  const { comfy, begin, image, readInput } = await world();
  const margins = { left: 10, top: 0, right: 25, bottom: 7 };
  const size = { width: 115, height: 71 };
  const { picture } = begin({ operation: 'expand', image, margins }, { ...size, prompt: '' });
  const after = await picture;
  expect(after).toMatchObject(size);
  const inside = await sharp(after.bytes)
    .extract({ left: 10, top: 0, ...SIZE })
    .raw()
    .toBuffer();
  expect(inside.equals(await pixels(await readInput(image)))).toBe(true);
  expect([...(await pixels(after.bytes)).subarray(0, 3)]).toEqual(DRAWN);
  // A latent has one value for 8 × 8 pixels.
  expect(graphOf(comfy)).toMatchObject({
    fitted: { inputs: { width: 112, height: 72 } },
    sample: { inputs: { denoise: 1 } },
  });
});

test('a picture is enlarged to the exact size, by the model that the operator names or by the first there is', async () => {
  const models = { ...FAKE_MODELS, upscale_models: ['4x-UltraSharp.pth', '2x-Anime.pth'] };
  const size = { width: 160, height: 128 };
  for (const [upscale, expected] of [
    [undefined, '2x-Anime.pth'],
    ['4x-', '4x-UltraSharp.pth'],
  ]) {
    const comfy = await createFakeComfy({ models });
    const { draw } = await comfyWorld({ fakes: [comfy], models: modelList.parse({ upscale }) });
    const { input, readInput } = inputs();
    const image = await input(noise({ ...SIZE, channels: 4 }));
    const picture = await draw({ ...size, source: { operation: 'upscale', image, scale: 2 } }, { readInput });
    expect(picture).toMatchObject(size);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ ...size, hasAlpha: true });
    expect(graphOf(comfy)).toMatchObject({
      model: { class_type: 'UpscaleModelLoader', inputs: { model_name: expected } },
      fitted: { inputs: size },
    });
  }
});

test('a background is removed', async () => {
  const { comfy, begin, image } = await world();
  const picture = await begin({ operation: 'remove_background', image }, { prompt: '' }).picture;
  expect(picture).toMatchObject(SIZE);
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ hasAlpha: true });
  expect(graphOf(comfy)).toMatchObject({
    model: { inputs: { bg_removal_name: 'birefnet.safetensors' } },
    cut: { class_type: 'JoinImageWithAlpha', inputs: { image: ['picture', 0] } },
  });
});

test('what an installation can make of pictures is read from its nodes, and no more often than its models', async () => {
  const PAINTED = { edit: { images: 1, mask: true, strength: true }, expand: {} };
  const { engine, comfy } = await world();
  expect(await engine.operations?.('default')).toEqual({ ...PAINTED, upscale: {}, remove_background: {} });
  expect(await engine.operations?.('rr3')).toEqual({});
  const { background_removal: _none, ...models } = { ...FAKE_MODELS, upscale_models: [] };
  const { engine: bare } = await world({ models });
  expect(await bare.operations?.('z-image')).toEqual(PAINTED);
  await engine.operations?.('anime');
  expect(comfy.requests('/object_info')).toHaveLength(2);
  const rejected = bare.rejection?.({
    prompt: '',
    workflow: 'default',
    model: undefined,
    source: { operation: 'upscale', image: { file: 'a.png', ...SIZE }, scale: 2 },
  });
  expect(await rejected).toEqual({
    field: 'workflow',
    reason: 'There is no model in upscale_models; the servers have none at all.',
  });
});

test('a server that keeps silent about its nodes keeps nobody waiting, and is not said to have them', async () => {
  const { engine, comfy } = await world();
  comfy.fault('/object_info', () => true);
  expect(await engine.operations?.('default')).toEqual({
    edit: { images: 1, mask: true, strength: true },
    expand: {},
  });
});

test('pictures lie where ComfyUI empties it, each once, under the name that the server gave', async () => {
  const { comfy, begin, image } = await world();
  const source: Source = { operation: 'remove_background', image };
  await begin(source).picture;
  const uploaded = () => [...comfy.prompts.files.keys()].filter((path) => path.includes('darkroom-'));
  const [first = ''] = uploaded();
  expect(first).toMatch(/^temp\/darkroom-/);
  await begin(source, { seed: 8 }).picture;
  expect(uploaded()).toEqual([first]);
  comfy.prompts.files.set(first, Buffer.from('a file of somebody else'));
  await begin(source, { seed: 9 }).picture;
  expect(graphOf(comfy)).toMatchObject({
    picture: { inputs: { image: `${first.slice('temp/'.length, -'.png'.length)} (1).png [temp]` } },
  });
});

test('a server that was restarted is given the pictures again, before it begins and while it draws', async () => {
  const { comfy, begin, image } = await world();
  const uploads = () => comfy.requests('/upload/image').length;
  // It is restarted between the two calls.
  comfy.fault('/prompt', ({ method }) => {
    if (method === 'POST' && uploads() === 1) comfy.prompts.forgetAll();
    return false;
  });
  expect(await begin({ operation: 'edit', images: [image], strength: 1 }).picture).toMatchObject(SIZE);
  expect(uploads()).toBe(2);
  comfy.prompts.hold();
  const { picture } = begin({ operation: 'edit', images: [image], strength: 1 });
  await comfy.running();
  comfy.restart();
  comfy.prompts.release();
  expect(await picture).toMatchObject(SIZE);
  expect(uploads()).toBe(4);
});

const answer =
  (status: number, body = ''): Fault =>
  (_request, response) => {
    response.writeHead(status).end(body);
    return true;
  };
const cut: Fault = (_request, response) => {
  response.writeHead(200, { 'content-length': 100 }).write('{"name"', () => response.destroy());
  return true;
};

test.each([
  ['is refused', answer(401)],
  ['fails', answer(500)],
  ['is answered with a page', answer(200, '<html>')],
  ['is cut', cut],
])('an upload that %s costs one attempt, and another that fails the drawing', async (_name, fault) => {
  const { comfy, begin, image } = await world();
  const source: Source = { operation: 'edit', images: [image], strength: 1 };
  comfy.fault('/upload/image', fault, 1);
  expect(await begin(source).picture).toMatchObject(SIZE);
  comfy.fault('/upload/image', fault);
  expect(await failureOf(begin(source).picture)).toMatchObject({ name: 'DrawingError' });
  expect(comfy.submitted).toHaveLength(1);
});

test('an upload that is not answered costs one attempt', async () => {
  const { comfy, begin, image } = await world({}, 1_000);
  comfy.fault('/upload/image', () => true, 1);
  expect(await begin({ operation: 'edit', images: [image], strength: 1 }).picture).toMatchObject(SIZE);
});

test('a picture that a server takes to be too large fails the drawing in words', async () => {
  const { comfy, begin, image } = await world();
  comfy.fault('/upload/image', answer(413));
  expect(await failureOf(begin({ operation: 'edit', images: [image], strength: 1 }).picture)).toMatchObject({
    name: 'DrawingError',
    message: 'The image server takes no pictures as large as this one.',
  });
  expect(comfy.requests('/upload/image')).toHaveLength(1);
});

test('a drawing that another process has handed in is not uploaded again, and is finished with its picture', async () => {
  const { comfy, begin, image } = await world();
  const source: Source = { operation: 'expand', image, margins: { left: 8, top: 0, right: 0, bottom: 0 } };
  const size = { width: 88, height: 64 };
  comfy.prompts.hold();
  const before = begin(source, size);
  await comfy.running();
  before.stop('closing');
  expect(await failureOf(before.picture)).toBe('closing');
  comfy.prompts.release();
  const after = begin(source, { ...size, taskId: before.drawing.taskId });
  expect(await after.picture).toMatchObject(size);
  expect(comfy.submitted).toHaveLength(1);
  expect(comfy.requests('/upload/image')).toHaveLength(2);
});
