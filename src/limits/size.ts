import { LIMITS } from '@darkroom/image-api/limits';

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Sizes that a member can pick by name. The larger ones hold about a megapixel, best for `anime` and `z-image`. */
export const PRESETS = {
  Square: { width: 512, height: 512 },
  Portrait: { width: 512, height: 768 },
  Landscape: { width: 768, height: 512 },
  'Large square': { width: 1024, height: 1024 },
  'Large portrait': { width: 832, height: 1216 },
  'Large landscape': { width: 1216, height: 832 },
  Widescreen: { width: 1344, height: 768 },
} as const satisfies Record<string, Size>;

export type Preset = keyof typeof PRESETS;

/** `1024x768`, in the form that members type and the interface's two numbers. */
export const formatSize = ({ width, height }: Size): string => `${width}x${height}`;

/** How many pixels a picture of this size has. */
export const areaOf = ({ width, height }: Size): number => width * height;

/** How many pixels a picture may have; undefined where nobody limits it. */
export function mostPixels(bounds: readonly { largestSize?: Size | undefined }[]): number | undefined {
  const areas = bounds.flatMap(({ largestSize }) => (largestSize ? [areaOf(largestSize)] : []));
  return areas.length > 0 ? Math.min(...areas) : undefined;
}

const fits = ({ min, max }: { min: number; max: number }, side: number) => side >= min && side <= max;

/** Whether the interface takes it. */
export const isAllowed = ({ width, height }: Size): boolean =>
  fits(LIMITS.width, width) && fits(LIMITS.height, height);

/** A preset's name, or width×height with `x`, `×` or `*`. Undefined where it is neither or beyond the limits. */
export function parseSize(text: string): Size | undefined {
  const typed = text.trim().toLowerCase();
  const preset = Object.entries(PRESETS).find(([name]) => name.toLowerCase() === typed);
  if (preset) return preset[1];
  const [, width, height] = /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/.exec(typed) ?? [];
  const size = { width: Number(width), height: Number(height) };
  return isAllowed(size) ? size : undefined;
}
