/** 100 is the picture itself. */
const MAX_PERCENT = 95;

/**
 * How far a drawing is that tells no progress: half of it after `expectedMs`, and ever slower after that, as it may
 * take longer.
 */
export const percentByTime = (elapsedMs: number, expectedMs: number): number =>
  Math.floor((MAX_PERCENT * elapsedMs) / (elapsedMs + expectedMs));
