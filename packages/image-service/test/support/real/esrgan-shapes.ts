import { convolution, type Shapes } from './sd15-shapes.ts';

const CHANNELS = 32;

/** The tensors of an ESRGAN that doubles a picture, of one residual block of three dense ones. */
export function esrganShapes(): Shapes {
  const shapes: Shapes = {
    ...convolution('model.0', CHANNELS, 3),
    ...convolution('model.1.sub.1', CHANNELS, CHANNELS),
    ...convolution('model.3', CHANNELS, CHANNELS),
    ...convolution('model.5', CHANNELS, CHANNELS),
    ...convolution('model.7', 3, CHANNELS),
  };
  for (const block of [1, 2, 3])
    for (const layer of [1, 2, 3, 4, 5])
      Object.assign(
        shapes,
        convolution(`model.1.sub.0.RDB${block}.conv${layer}.0`, CHANNELS, CHANNELS * layer),
      );
  return shapes;
}
