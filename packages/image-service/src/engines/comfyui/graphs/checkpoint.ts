import type { Graph, GraphNode } from '@darkroom/image-api';
import { sampleNode } from './nodes.ts';

/** A graph that samples: from the latent `latent`, in `sample`, whose picture is decoded in `decode`. */
export type SampledGraph = Graph & Record<'latent' | 'sample' | 'decode', GraphNode>;

interface CheckpointOptions {
  checkpoint: string;
  positive: string;
  negative: string;
  /** Pixels, multiples of 8. */
  width: number;
  height: number;
  seed: number;
  steps: number;
  cfg: number;
  sampler: string;
}

/** Sampling with a checkpoint that brings its own text encoder and VAE, up to the decoded picture. */
export const checkpointGraph = (options: CheckpointOptions): SampledGraph => ({
  checkpoint: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: options.checkpoint } },
  positive: { class_type: 'CLIPTextEncode', inputs: { text: options.positive, clip: ['checkpoint', 1] } },
  negative: { class_type: 'CLIPTextEncode', inputs: { text: options.negative, clip: ['checkpoint', 1] } },
  latent: {
    class_type: 'EmptyLatentImage',
    inputs: { width: options.width, height: options.height, batch_size: 1 },
  },
  sample: sampleNode({ ...options, model: 'checkpoint', positive: 'positive', scheduler: 'normal' }),
  decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['checkpoint', 2] } },
});
