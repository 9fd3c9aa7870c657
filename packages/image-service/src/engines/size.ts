import { LIMITS } from '@darkroom/image-api';

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The nearest size whose sides are multiples of `step`. */
export const roundSize = ({ width, height }: Size, step: number): Size => ({
  width: roundTo(step, width),
  height: roundTo(step, height),
});

const roundTo = (step: number, pixels: number) =>
  Math.max(Math.ceil(LIMITS.width.min / step), Math.round(pixels / step)) * step;

/** The same shape with about `pixels` in all. */
export function scaledTo(pixels: number, { width, height }: Size): Size {
  const scale = Math.sqrt(pixels / (width * height));
  return { width: width * scale, height: height * scale };
}
