import type { GraphNode } from '@darkroom/image-api';

/** Samples the latent of the node `latent` from noise, away from the conditioning of the node `negative`. */
export const sampleNode = ({
  model,
  positive = 'positive',
  seed,
  steps,
  cfg,
  sampler,
  scheduler,
}: {
  /** The nodes of model and conditioning. */
  model: string;
  positive?: string;
  seed: number;
  steps: number;
  cfg: number;
  sampler: string;
  scheduler: string;
}): GraphNode => ({
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
