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

/** What stands in front, by a model such as BiRefNet. `JoinImageWithAlpha` takes what is to be transparent. */
export const removeBackgroundGraph = (picture: string, model: string): Graph => ({
  picture: loadNode(picture),
  model: { class_type: 'LoadBackgroundRemovalModel', inputs: { bg_removal_name: model } },
  front: {
    class_type: 'RemoveBackground',
    inputs: { bg_removal_model: ['model', 0], image: ['picture', 0] },
  },
  behind: { class_type: 'InvertMask', inputs: { mask: ['front', 0] } },
  cut: { class_type: 'JoinImageWithAlpha', inputs: { image: ['picture', 0], alpha: ['behind', 0] } },
  save: saveNode('cut'),
});
