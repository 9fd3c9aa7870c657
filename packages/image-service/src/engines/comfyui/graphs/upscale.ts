import type { Graph } from '@darkroom/image-api';
import type { Size } from '../../size.ts';
import { loadNode, saveNode, scaleNode } from './nodes.ts';

/** A picture enlarged by a network, whose own factor is not told, and from there to the size that was asked for. */
export const upscaleGraph = (picture: string, model: string, size: Size): Graph => ({
  picture: loadNode(picture),
  model: { class_type: 'UpscaleModelLoader', inputs: { model_name: model } },
  enlarged: {
    class_type: 'ImageUpscaleWithModel',
    inputs: { upscale_model: ['model', 0], image: ['picture', 0] },
  },
  fitted: scaleNode('enlarged', size),
  save: saveNode('fitted'),
});
