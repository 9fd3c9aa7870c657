import type { Drawing } from '../engine.ts';
import { withoutExtraArguments } from '../extra-arguments.ts';

export type PromptedDrawing = Drawing & { prompt: string };

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
    prompt: withoutExtraArguments(prompt),
    negative_prompt: negativePrompt,
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

/** For `POST /sdcpp/v1/img_gen`. */
export const jobBody = ({
  prompt,
  negativePrompt,
  width,
  height,
  steps,
  seed,
  cfg,
  workflow,
}: PromptedDrawing) => ({
  prompt,
  negative_prompt: negativePrompt,
  width,
  height,
  seed,
  batch_count: 1,
  sample_params: {
    sample_steps: steps,
    guidance: { txt_cfg: cfg },
    ...(SAMPLERS[workflow] && { sample_method: SAMPLERS[workflow].sdcpp }),
  },
  embed_image_metadata: false,
  output_format: 'png',
});
