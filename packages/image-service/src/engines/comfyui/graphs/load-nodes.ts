import type { GraphNode } from '@darkroom/image-api';

/** A picture that was uploaded; see `uploadInputs`. */
export const loadNode = (image: string): GraphNode => ({ class_type: 'LoadImage', inputs: { image } });

/** An uploaded mask, whose white is 1: `LoadImage` would take what is transparent. */
export const loadMaskNode = (image: string): GraphNode => ({
  class_type: 'LoadImageMask',
  inputs: { image, channel: 'red' },
});
