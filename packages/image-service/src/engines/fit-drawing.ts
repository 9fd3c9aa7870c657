import type { Abilities, DrawingParameters } from './engine.ts';
import { nearestSize, roundSize, type Size, scaledTo } from './size.ts';

/** The size that comes nearest to another, of those that an engine draws. */
export function fitSize(
  wanted: Size,
  { sizeStep, maxPixels, sizes }: Pick<Abilities, 'sizeStep' | 'maxPixels' | 'sizes'>,
): Size {
  const tooLarge = wanted.width * wanted.height > maxPixels;
  const { width, height } =
    nearestSize(wanted, sizes) ?? roundSize(tooLarge ? scaledTo(maxPixels, wanted) : wanted, sizeStep);
  return { width, height };
}

/**
 * The drawing that comes nearest to what was asked for, of those that an engine can make, and what that changes, in
 * sentences for whoever asked. A complete graph stays as it is.
 */
export function fitDrawing(
  wanted: DrawingParameters,
  abilities: Abilities,
): { drawing: DrawingParameters; warnings: string[] } {
  if (typeof wanted.prompt !== 'string') return { drawing: wanted, warnings: [] };
  const { sizeStep, maxPixels, maxSteps, sizes } = abilities;
  const { width: wantedWidth, height: wantedHeight, steps: wantedSteps } = wanted;
  const size = fitSize(wanted, abilities);
  const steps = Math.min(wantedSteps, maxSteps);
  const drawn = `this picture has ${size.width} × ${size.height} pixels`;
  const warnings: string[] = [];
  if (size.width !== wantedWidth || size.height !== wantedHeight) {
    if (sizes?.length) {
      const names = sizes.map(({ width, height }) => `${width} × ${height}`).join(', ');
      warnings.push(`pictures are drawn in ${names} pixels here: ${drawn}`);
    } else if (wantedWidth * wantedHeight > maxPixels)
      warnings.push(`a picture may have at most ${maxPixels} pixels here: ${drawn}`);
    else warnings.push(`width and height are rounded to multiples of ${sizeStep}: ${drawn}`);
  }
  if (steps < wantedSteps) warnings.push(`steps may be at most ${maxSteps} here: this picture takes as many`);
  return { drawing: { ...wanted, ...size, steps }, warnings };
}
