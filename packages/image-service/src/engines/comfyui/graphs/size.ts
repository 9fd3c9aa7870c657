import { roundSize, type Size, scaledTo } from '../../size.ts';

/** A latent has one value for 8 × 8 pixels; ComfyUI rounds other sizes down silently. */
export const SIZE_STEP = 8;

export const sampledSize = (size: Size): Size => roundSize(size, SIZE_STEP);

/** The same shape with about `pixels` in all, as it can be sampled. */
export const sampledAt = (pixels: number, size: Size): Size => sampledSize(scaledTo(pixels, size));
