import type { Graph, GraphNode } from '@darkroom/image-api';
import type { PromptedDrawing } from '../../engine.ts';
import { editedPicture } from './edited-picture.ts';
import { loadNode, sampleNode, saveNode } from './nodes.ts';

/** Qwen-Image-Edit as in ComfyUI's own template (`image_qwen_image_edit_2509`); it sees up to three pictures. */
export function qwenImageEditGraph(
  drawing: PromptedDrawing,
  [diffusionModel, textEncoder, vae]: readonly string[],
  pictures: readonly string[],
): Graph {
  const { prompt, negativePrompt } = drawing;
  const [picture, ...references] = pictures;
  const loaded = [
    ...(picture === undefined ? [] : ['picture']),
    ...references.map((_, at) => `reference${at + 1}`),
  ];
  const encoded = (words: string): GraphNode => ({
    class_type: 'TextEncodeQwenImageEditPlus',
    inputs: {
      clip: ['encoder', 0],
      vae: ['vae', 0],
      prompt: words,
      ...Object.fromEntries(loaded.map((node, at) => [`image${at + 1}`, [node, 0]])),
    },
  });
  return {
    diffusion: { class_type: 'UNETLoader', inputs: { unet_name: diffusionModel, weight_dtype: 'default' } },
    encoder: {
      class_type: 'CLIPLoader',
      inputs: { clip_name: textEncoder, type: 'qwen_image', device: 'default' },
    },
    vae: { class_type: 'VAELoader', inputs: { vae_name: vae } },
    shift: { class_type: 'ModelSamplingAuraFlow', inputs: { model: ['diffusion', 0], shift: 3 } },
    norm: { class_type: 'CFGNorm', inputs: { model: ['shift', 0], strength: 1 } },
    ...editedPicture(drawing, picture),
    ...Object.fromEntries(references.map((name, at) => [`reference${at + 1}`, loadNode(name)])),
    positive: encoded(prompt),
    negative: encoded(negativePrompt),
    sample: sampleNode(drawing, { model: 'norm', sampler: 'euler', scheduler: 'simple' }),
    decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['vae', 0] } },
    save: saveNode('decode'),
  };
}
