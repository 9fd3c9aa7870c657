import type { Graph, GraphNode } from '@darkroom/image-api';
import type { PromptedDrawing } from '../../engine.ts';
import type { Size } from '../../size.ts';
import { sampleNode, saveNode, scaleNode } from './nodes.ts';
import { sampledAt, sampledSize } from './size.ts';

/** A graph that samples: from the latent `latent`, in `sample`, whose picture is decoded in `decode`. */
export type SampledGraph = Graph & Record<'latent' | 'sample' | 'decode', GraphNode>;

/** SDXL was trained on pictures of about a megapixel, and draws badly far below. */
const TRAINED_PIXELS = 1024 ** 2;
const MIN_PIXELS = 0.75 * TRAINED_PIXELS;

/** Stable Diffusion 1.5, as in ComfyUI's own example. */
export const defaultGraph = (drawing: PromptedDrawing, checkpoint: string): SampledGraph => ({
  ...decodedGraph(drawing, checkpoint, { size: sampledSize(drawing), sampler: 'euler' }),
  save: saveNode('decode'),
});

/** An SDXL model for anime. A small picture is sampled at a megapixel and scaled down to what was asked for. */
export function animeGraph(drawing: PromptedDrawing, checkpoint: string): SampledGraph {
  const sampler = 'euler_ancestral';
  const size = sampledSize(drawing);
  if (size.width * size.height >= MIN_PIXELS)
    return { ...decodedGraph(drawing, checkpoint, { size, sampler }), save: saveNode('decode') };
  return {
    ...decodedGraph(drawing, checkpoint, { size: sampledAt(TRAINED_PIXELS, size), sampler }),
    scale: scaleNode('decode', size),
    save: saveNode('scale'),
  };
}

/** Sampling with a checkpoint that brings its own text encoder and VAE, up to the decoded picture. */
const decodedGraph = (
  drawing: PromptedDrawing,
  checkpoint: string,
  { size: { width, height }, sampler }: { size: Size; sampler: string },
): SampledGraph => ({
  checkpoint: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: checkpoint } },
  positive: { class_type: 'CLIPTextEncode', inputs: { text: drawing.prompt, clip: ['checkpoint', 1] } },
  negative: {
    class_type: 'CLIPTextEncode',
    inputs: { text: drawing.negativePrompt, clip: ['checkpoint', 1] },
  },
  latent: { class_type: 'EmptyLatentImage', inputs: { width, height, batch_size: 1 } },
  sample: sampleNode(drawing, { model: 'checkpoint', sampler, scheduler: 'normal' }),
  decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['checkpoint', 2] } },
});
