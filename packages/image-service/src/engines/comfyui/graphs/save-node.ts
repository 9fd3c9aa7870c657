import type { GraphNode } from '@darkroom/image-api';

/**
 * Puts the pictures of a node out, into the folder `temp`, which ComfyUI empties whenever it starts. `SaveImage`
 * would leave them in its folder `output` for ever, and there is no call that deletes a file.
 */
export const saveNode = (node: string): GraphNode => ({
  class_type: 'PreviewImage',
  inputs: { images: [node, 0] },
});
