import type { Drawing, PromptedDrawing } from '../engine.ts';
import { withoutExtraArguments } from '../extra-arguments.ts';
import type { Inputs } from '../inputs.ts';
import { roundSize, type Size } from '../size.ts';
import { boundedPrompt } from './bounded-prompt.ts';

/** Latents have one value for 8 × 8 pixels. */
export const SIZE_STEP = 8;

/** The sampler of a workflow, as WebUI and as stable-diffusion.cpp call it; their own where there is none. */
const SAMPLERS: Readonly<Partial<Record<Drawing['workflow'], { webui: string; sdcpp: string }>>> = {
  default: { webui: 'Euler', sdcpp: 'euler' },
  anime: { webui: 'Euler a', sdcpp: 'euler_a' },
};

/** For `POST /sdapi/v1/txt2img`. `checkpoint`: undefined for the one that is loaded. */
export function txt2imgBody(
  { prompt, negativePrompt, width, height, steps, seed, cfg, workflow }: PromptedDrawing,
  { checkpoint, samplers }: { checkpoint: string | undefined; samplers: readonly string[] },
) {
  const sampler = SAMPLERS[workflow]?.webui;
  return {
    prompt: boundedPrompt(withoutExtraArguments(prompt)),
    negative_prompt: boundedPrompt(negativePrompt),
    width,
    height,
    steps,
    seed,
    cfg_scale: cfg,
    ...(sampler !== undefined && samplers.includes(sampler) && { sampler_name: sampler }),
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    // Nothing stays on the server's disk.
    save_images: false,
    ...(checkpoint !== undefined && { override_settings: { sd_model_checkpoint: checkpoint } }),
  };
}

/** What is painted over, and how much of it. */
export type Beginning = Pick<Inputs, 'picture' | 'mask'> & { strength: number };

/**
 * For `POST /sdapi/v1/img2img`: the whole picture is sampled, and its parts under the mask begin with what they are.
 */
export const img2imgBody = (
  drawing: PromptedDrawing,
  { picture, mask, strength }: Beginning,
  options: Parameters<typeof txt2imgBody>[1],
) => ({
  ...txt2imgBody({ ...drawing, ...roundSize(drawing, SIZE_STEP) }, options),
  init_images: [base64(picture)],
  denoising_strength: strength,
  resize_mode: 0,
  include_init_images: false,
  ...(mask && {
    mask: base64(mask),
    mask_blur: 0,
    inpainting_fill: 1,
    inpaint_full_res: false,
    inpainting_mask_invert: 0,
  }),
});

/** For `POST /sdapi/v1/extra-single-image`, in exactly this size. */
export const upscaleBody = (picture: Uint8Array, upscaler: string | undefined, { width, height }: Size) => ({
  image: base64(picture),
  upscaler_1: upscaler,
  resize_mode: 1,
  upscaling_resize_w: width,
  upscaling_resize_h: height,
  upscaling_crop: true,
});

/** For `POST /sdcpp/v1/img_gen`. */
export const jobBody = (
  { prompt, negativePrompt, steps, seed, cfg, workflow, ...size }: PromptedDrawing,
  beginning?: Beginning,
) => ({
  prompt,
  negative_prompt: negativePrompt,
  ...roundSize(size, SIZE_STEP),
  seed,
  batch_count: 1,
  sample_params: {
    sample_steps: steps,
    guidance: { txt_cfg: cfg },
    ...(SAMPLERS[workflow] && { sample_method: SAMPLERS[workflow].sdcpp }),
  },
  embed_image_metadata: false,
  output_format: 'png',
  ...(beginning && { init_image: base64(beginning.picture), strength: beginning.strength }),
  ...(beginning?.mask && { mask_image: base64(beginning.mask) }),
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
