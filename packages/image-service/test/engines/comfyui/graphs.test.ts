import { graph, LIMITS } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { animeGraph, defaultGraph } from '../../../src/engines/comfyui/graphs/checkpoint.ts';
import { removeBackgroundGraph, upscaleGraph } from '../../../src/engines/comfyui/graphs/filters.ts';
import { fluxKontextGraph } from '../../../src/engines/comfyui/graphs/flux-kontext.ts';
import { overPicture } from '../../../src/engines/comfyui/graphs/over-picture.ts';
import { qwenImageEditGraph } from '../../../src/engines/comfyui/graphs/qwen-image-edit.ts';
import { zImageGraph } from '../../../src/engines/comfyui/graphs/z-image.ts';
import { drawingOf } from '../../support/drawings.ts';

const order = {
  ...drawingOf({ taskId: '00000000-0000-4000-8000-000000000000', width: 832, height: 1216, steps: 20 }),
  prompt: 'a fox under a lantern',
};
const zImageModels = {
  diffusionModel: 'z.safetensors',
  textEncoder: 'qwen.safetensors',
  vae: 'ae.safetensors',
};

const picture = 'picture.png [temp]';

/** A graph as JSON that ComfyUI loads, each link on one line. */
const pasted = (built: object) =>
  `${JSON.stringify(built, undefined, 2).replace(/\[\s+("\w+"),\s+(\d)\s+\]/g, '[$1, $2]')}\n`;

test.each([
  ['default', defaultGraph(order, 'sd15.safetensors')],
  ['anime', animeGraph({ ...order, cfg: 5.5 }, 'animagine.safetensors')],
  ['anime-small', animeGraph({ ...order, width: 512, height: 384 }, 'animagine.safetensors')],
  ['z-image', zImageGraph({ ...order, steps: 8 }, zImageModels)],
  [
    'edit',
    overPicture(zImageGraph({ ...order, steps: 8 }, zImageModels), {
      picture,
      mask: undefined,
      strength: 0.6,
    }),
  ],
  [
    'inpaint',
    overPicture(defaultGraph(order, 'sd15.safetensors'), { picture, mask: 'mask.png [temp]', strength: 1 }),
  ],
  ['flux-kontext', fluxKontextGraph(order, ['kontext.safetensors', 'clip_l', 't5', 'ae'], [picture])],
  ['flux-kontext-words', fluxKontextGraph(order, ['kontext.safetensors', 'clip_l', 't5', 'ae'], [])],
  [
    'qwen-image-edit',
    qwenImageEditGraph(order, ['qwen.safetensors', 'qwen_vl', 'vae'], [picture, 'hat.png [temp]']),
  ],
  ['upscale', upscaleGraph(picture, '4x.pth', order)],
  ['remove-background', removeBackgroundGraph(picture, 'birefnet.safetensors')],
])('the graph of %s stays as it is', async (name, built) => {
  expect(graph.safeParse(built).success).toBe(true);
  await expect(pasted(built)).toMatchFileSnapshot(`golden/${name}.json`);
});

test('sizes are rounded to multiples of 8', () => {
  const { latent } = defaultGraph({ ...order, width: 515, height: 517 }, 'x');
  expect(latent?.inputs).toMatchObject({ width: 512, height: 520 });
  const { latent: tiny } = zImageGraph({ ...order, width: 65, height: 66 }, zImageModels);
  expect(tiny?.inputs).toMatchObject({ width: 64, height: 64 });
});

test('a small anime picture is sampled at a megapixel and scaled to what was asked for', () => {
  const { latent, scale, save } = animeGraph({ ...order, width: 512, height: 512 }, 'x');
  expect(latent?.inputs).toMatchObject({ width: 1024, height: 1024 });
  expect(scale?.inputs).toMatchObject({ width: 512, height: 512 });
  expect(save?.inputs.images).toEqual(['scale', 0]);
});

test('the largest seed comes through JSON as it is', () => {
  const built = defaultGraph({ ...order, seed: LIMITS.seed.max }, 'x');
  expect(JSON.parse(JSON.stringify(built)).sample.inputs.seed).toBe(2 ** 53 - 1);
});

test('z-image takes no guidance and no negative prompt', () => {
  const built = zImageGraph({ ...order, cfg: 9, negativePrompt: 'NEGATIVE' }, zImageModels);
  expect(built.sample?.inputs.cfg).toBe(1);
  expect(JSON.stringify(built)).not.toContain('NEGATIVE');
});
