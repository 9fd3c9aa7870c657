import type { Graph } from '@darkroom/image-api';
import type { Size } from '../../size.ts';
import { loadNode } from './load-nodes.ts';
import { saveNode } from './save-node.ts';

/** A picture enlarged by a network, whose own factor is not told, and from there to the size that was asked for. */
export const upscaleGraph = (picture: string, model: string, { width, height }: Size): Graph => ({
  picture: loadNode(picture),
  model: { class_type: 'UpscaleModelLoader', inputs: { model_name: model } },
  enlarged: {
    class_type: 'ImageUpscaleWithModel',
    inputs: { upscale_model: ['model', 0], image: ['picture', 0] },
  },
  fitted: {
    class_type: 'ImageScale',
    inputs: { image: ['enlarged', 0], upscale_method: 'lanczos', width, height, crop: 'disabled' },
  },
  save: saveNode('fitted'),
});
