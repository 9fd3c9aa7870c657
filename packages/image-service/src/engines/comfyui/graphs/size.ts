import { LIMITS } from '@darkroom/image-api';

export interface Size {
  width: number;
  height: number;
}

/** A latent has one value for 8 × 8 pixels; ComfyUI rounds other sizes down silently. */
const STEP = 8;

/** The nearest size that can be sampled. */
export const sampledSize = ({ width, height }: Size): Size => ({
  width: round(width),
  height: round(height),
});

/** The warning that a size will be rounded; undefined where it will not. */
export function roundingWarning(requested: Size): string | undefined {
  const { width, height } = sampledSize(requested);
  return width === requested.width && height === requested.height
    ? undefined
    : `width and height are rounded to multiples of ${STEP}: this picture has ${width} × ${height} pixels`;
}

const round = (pixels: number) => Math.max(LIMITS.width.min, Math.round(pixels / STEP) * STEP);

/** The same shape with about `pixels` in all. */
export function scaledTo(pixels: number, { width, height }: Size): Size {
  const scale = Math.sqrt(pixels / (width * height));
  return sampledSize({ width: width * scale, height: height * scale });
}
