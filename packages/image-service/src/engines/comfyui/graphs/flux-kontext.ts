import type { Graph } from '@darkroom/image-api';
import type { PromptedDrawing } from '../../engine.ts';
import { editedPicture } from './edited-picture.ts';
import { sampleNode, saveNode } from './nodes.ts';

/**
 * Flux Kontext with the values of ComfyUI's own template (`flux_kontext_dev_basic`). It is distilled to a guidance of
 * 1, where a negative prompt counts for nothing; `cfg` is the guidance that it was distilled with.
 */
export function fluxKontextGraph(
  drawing: PromptedDrawing,
  [diffusionModel, clip, t5, vae]: readonly string[],
  pictures: readonly string[],
): Graph {
  const { prompt, cfg } = drawing;
  const [picture] = pictures;
  return {
    diffusion: { class_type: 'UNETLoader', inputs: { unet_name: diffusionModel, weight_dtype: 'default' } },
    encoder: {
      class_type: 'DualCLIPLoader',
      inputs: { clip_name1: clip, clip_name2: t5, type: 'flux', device: 'default' },
    },
    vae: { class_type: 'VAELoader', inputs: { vae_name: vae } },
    positive: { class_type: 'CLIPTextEncode', inputs: { text: prompt, clip: ['encoder', 0] } },
    negative: { class_type: 'ConditioningZeroOut', inputs: { conditioning: ['positive', 0] } },
    ...editedPicture(drawing, picture),
    ...(picture !== undefined && {
      seen: {
        class_type: 'ReferenceLatent',
        inputs: { conditioning: ['positive', 0], latent: ['latent', 0] },
      },
    }),
    guided: {
      class_type: 'FluxGuidance',
      inputs: { conditioning: [picture === undefined ? 'positive' : 'seen', 0], guidance: cfg },
    },
    sample: sampleNode(
      { ...drawing, cfg: 1 },
      { model: 'diffusion', positive: 'guided', sampler: 'euler', scheduler: 'simple' },
    ),
    decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['vae', 0] } },
    save: saveNode('decode'),
  };
}
