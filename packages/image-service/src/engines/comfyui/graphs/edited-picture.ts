import type { Graph } from '@darkroom/image-api';
import type { Size } from '../../size.ts';
import { loadNode, scaleNode } from './nodes.ts';
import { sampledAt, sampledSize } from './size.ts';

/** What models that edit in words were trained at. */
const TRAINED_PIXELS = 1024 ** 2;

/** A picture that is changed in words, as `latent`: of about a megapixel; an empty one where there is none. */
export function editedPicture(size: Size, picture: string | undefined): Graph {
  if (picture === undefined)
    return {
      latent: { class_type: 'EmptySD3LatentImage', inputs: { ...sampledSize(size), batch_size: 1 } },
    };
  return {
    picture: loadNode(picture),
    fitted: scaleNode('picture', sampledAt(TRAINED_PIXELS, size)),
    latent: { class_type: 'VAEEncode', inputs: { pixels: ['fitted', 0], vae: ['vae', 0] } },
  };
}
