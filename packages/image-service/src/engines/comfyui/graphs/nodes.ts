import type { GraphNode } from '@darkroom/image-api';
import type { Drawing } from '../../engine.ts';

/** A picture that was uploaded; see `uploadInputs`. */
export const loadNode = (image: string): GraphNode => ({ class_type: 'LoadImage', inputs: { image } });

/** An uploaded mask, whose white is 1: `LoadImage` would take what is transparent. */
export const loadMaskNode = (image: string): GraphNode => ({
  class_type: 'LoadImageMask',
  inputs: { image, channel: 'red' },
});

/** The picture of the node `image` in another size. */
export const scaleNode = (image: string, { width, height }: Record<'width' | 'height', unknown>) => ({
  class_type: 'ImageScale',
  inputs: { image: [image, 0], upscale_method: 'lanczos', width, height, crop: 'disabled' },
});

/** Samples the latent of the node `latent` from noise, away from the conditioning of the node `negative`. */
export const sampleNode = (
  { seed, steps, cfg }: Pick<Drawing, 'seed' | 'steps' | 'cfg'>,
  /** The nodes of model and conditioning, and how. */
  {
    model,
    positive = 'positive',
    sampler,
    scheduler,
  }: Record<'model' | 'sampler' | 'scheduler', string> & {
    positive?: string;
  },
): GraphNode => ({
  class_type: 'KSampler',
  inputs: {
    model: [model, 0],
    positive: [positive, 0],
    negative: ['negative', 0],
    latent_image: ['latent', 0],
    seed,
    steps,
    cfg,
    sampler_name: sampler,
    scheduler,
    denoise: 1,
  },
});

/**
 * Puts the pictures of a node out, into the folder `temp`, which ComfyUI empties whenever it starts. `SaveImage`
 * would leave them in its folder `output` for ever, and there is no call that deletes a file.
 */
export const saveNode = (node: string): GraphNode => ({
  class_type: 'PreviewImage',
  inputs: { images: [node, 0] },
});
