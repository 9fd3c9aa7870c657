import { LIMITS } from '@darkroom/image-api/contract';

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

/** How much more a shape counts than a size. */
const SHAPE = 4;

/** Of some sizes the one that comes nearest to another: in its shape before its area. */
export function nearestSize<Sized extends Size>(
  wanted: Size,
  sizes: readonly Sized[] = [],
): Sized | undefined {
  const far = ({ width, height }: Size) =>
    SHAPE * Math.abs(Math.log((width * wanted.height) / (height * wanted.width))) +
    Math.abs(Math.log((width * height) / (wanted.width * wanted.height)));
  return [...sizes].sort((one, other) => far(one) - far(other))[0];
}
