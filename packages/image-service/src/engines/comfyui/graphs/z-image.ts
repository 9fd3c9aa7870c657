import type { PromptedDrawing } from '../../engine.ts';
import type { Models } from '../workflow-models.ts';
import type { SampledGraph } from './checkpoint.ts';
import { sampleNode, saveNode } from './nodes.ts';
import { sampledSize } from './size.ts';

/**
 * Z-Image Turbo with the values of ComfyUI's own template (`image_z_image_turbo`). It is distilled to a guidance of
 * 1, where a negative prompt counts for nothing.
 */
export function zImageGraph(drawing: PromptedDrawing, models: Models['z-image']): SampledGraph {
  return {
    diffusion: {
      class_type: 'UNETLoader',
      inputs: { unet_name: models.diffusionModel, weight_dtype: 'default' },
    },
    // Lumina 2 is the name of the family, whose text encoding Z-Image shares.
    encoder: {
      class_type: 'CLIPLoader',
      inputs: { clip_name: models.textEncoder, type: 'lumina2', device: 'default' },
    },
    vae: { class_type: 'VAELoader', inputs: { vae_name: models.vae } },
    shift: { class_type: 'ModelSamplingAuraFlow', inputs: { model: ['diffusion', 0], shift: 3 } },
    positive: { class_type: 'CLIPTextEncode', inputs: { text: drawing.prompt, clip: ['encoder', 0] } },
    negative: { class_type: 'ConditioningZeroOut', inputs: { conditioning: ['positive', 0] } },
    latent: { class_type: 'EmptySD3LatentImage', inputs: { ...sampledSize(drawing), batch_size: 1 } },
    sample: sampleNode(
      { ...drawing, cfg: 1 },
      { model: 'shift', sampler: 'res_multistep', scheduler: 'simple' },
    ),
    decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['vae', 0] } },
    save: saveNode('decode'),
  };
}
