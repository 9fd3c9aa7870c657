import { LIMITS } from '../../../../contract/limits.ts';

export interface Size {
  width: number;
  height: number;
}

/** A latent has one value for 8 × 8 pixels; ComfyUI rounds down without a word. */
const STEP = 8;

/** The nearest size that can be sampled. */
export const sampledSize = ({ width, height }: Size): Size => ({
  width: round(width),
  height: round(height),
});

/** What is said of a size to whoever asked for it; undefined where it stays as it is. */
export function roundingOf(asked: Size): string | undefined {
  const { width, height } = sampledSize(asked);
  return width === asked.width && height === asked.height
    ? undefined
    : `width and height are rounded to multiples of ${STEP}: this picture has ${width} × ${height} pixels`;
}

const round = (pixels: number) => Math.max(LIMITS.width.min, Math.round(pixels / STEP) * STEP);

/** The same shape with about `pixels` in all. */
export function scaledTo(pixels: number, { width, height }: Size): Size {
  const scale = Math.sqrt(pixels / (width * height));
  return sampledSize({ width: width * scale, height: height * scale });
}
