import type { Graph } from '@darkroom/image-api';
import type { SampledGraph } from './checkpoint.ts';
import { loadMaskNode, loadNode, scaleNode } from './nodes.ts';

/**
 * The same graph, sampled from a picture in place of nothing: where there is a mask, only what is white in it. Around
 * the mask the picture still changes a little, by its way through the VAE.
 */
export function overPicture(
  graph: SampledGraph,
  { picture, mask, strength }: { picture: string; mask: string | undefined; strength: number },
): Graph {
  const { latent, sample, decode } = graph;
  const { width, height } = latent.inputs;
  const sampled = {
    ...graph,
    picture: loadNode(picture),
    fitted: scaleNode('picture', { width, height }),
    latent: { class_type: 'VAEEncode', inputs: { pixels: ['fitted', 0], vae: decode.inputs.vae } },
    sample: {
      ...sample,
      inputs: {
        ...sample.inputs,
        latent_image: [mask === undefined ? 'latent' : 'masked', 0],
        denoise: strength,
      },
    },
  };
  if (mask === undefined) return sampled;
  return {
    ...sampled,
    mask: loadMaskNode(mask),
    masked: { class_type: 'SetLatentNoiseMask', inputs: { samples: ['latent', 0], mask: ['mask', 0] } },
  };
}
