import sharp from 'sharp';
import type { Drawing, PromptedDrawing } from '../engine.ts';
import { fitSize } from '../fit-drawing.ts';
import { type Inputs, strengthOf } from '../inputs.ts';
import type { Size } from '../size.ts';

/** Stands between what to show and what to leave out. */
const NEGATIVE = '###';
/** The Horde takes no size but multiples of it. */
export const SIZE_STEP = 64;
const LEAST_CHANGE = 0.01;
/** Of the pictures that a request begins with: the Horde encodes them so, too. */
const QUALITY = 95;

/** What is asked of the Horde for a drawing. Unless it may be indecent, what comes out so is censored. */
export async function requestBody(
  drawing: PromptedDrawing,
  models: readonly string[],
  { inputs, maxPixels }: { inputs: Inputs | undefined; maxPixels: number },
) {
  const { prompt, negativePrompt, steps, cfg, seed, nsfw = false } = drawing;
  const words = [prompt, negativePrompt].map((text) => text.replaceAll(NEGATIVE, ' ').trim());
  // What is made of a picture has its size, which may be any.
  const size = fitSize(drawing, { sizeStep: SIZE_STEP, maxPixels });
  return {
    prompt: words.filter(Boolean).join(` ${NEGATIVE} `),
    models,
    ...(inputs && (await sourceOf(drawing, inputs, size))),
    params: {
      ...size,
      steps,
      // More decimals are refused.
      cfg_scale: Math.round(cfg * 100) / 100,
      seed: `${seed}`,
      sampler_name: 'k_euler_a',
      karras: true,
      n: 1,
      ...(inputs && {
        denoising_strength: Math.max(LEAST_CHANGE, Math.round(strengthOf(drawing) * 100) / 100),
      }),
    },
    nsfw,
    censor_nsfw: !nsfw,
    trusted_workers: false,
    slow_workers: true,
    shared: false,
    // Words that are against its terms are replaced: otherwise one member could have everybody's address blocked.
    replacement_filter: true,
    // While it is full, a smaller picture is drawn instead of none.
    allow_downgrade: true,
    // The picture comes with the answer, and not as an address elsewhere.
    r2: false,
  };
}

/** The picture that a request begins with, and in white what of it is drawn anew. */
async function sourceOf({ source }: Drawing, { picture, mask }: Inputs, size: Size) {
  const processing = source?.operation === 'expand' ? 'outpainting' : mask ? 'inpainting' : 'img2img';
  return {
    source_image: await asWebp(picture, size),
    source_processing: processing,
    ...(mask && { source_mask: await asWebp(mask, size) }),
  };
}

/** As base64. */
export async function asWebp(picture: Uint8Array, size?: Size): Promise<string> {
  const fitted = size ? sharp(picture).resize(size.width, size.height, { fit: 'fill' }) : sharp(picture);
  return (await fitted.webp({ quality: QUALITY }).toBuffer()).toString('base64');
}
