import type { Graph } from '@darkroom/image-api';

/** A small graph whose words, size and seed are filled in. */
export const POSTER: Graph = {
  3: {
    class_type: 'KSampler',
    inputs: {
      seed: '%seed%',
      steps: 4,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['4', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
  },
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
  5: { class_type: 'EmptyLatentImage', inputs: { width: '%width%', height: '%height%', batch_size: 1 } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'a poster of %prompt%', clip: ['4', 1] } },
  7: { class_type: 'CLIPTextEncode', inputs: { text: '%negative_prompt%', clip: ['4', 1] } },
  8: { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  9: { class_type: 'SaveImage', inputs: { filename_prefix: 'poster', images: ['8', 0] } },
};

/** A file as a person attaches it; `content` is JSON unless it is a text already. */
export const graphFile = (content: unknown, name = 'poster.json') => ({
  name,
  bytes: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
  contentType: 'application/json',
});
