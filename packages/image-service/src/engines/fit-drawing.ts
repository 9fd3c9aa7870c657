import type { Abilities, DrawingParameters } from './engine.ts';
import { roundSize, scaledTo } from './size.ts';

/**
 * The drawing that comes nearest to what was asked for, of those that an engine can make, and what that changes, in
 * sentences for whoever asked. A complete graph stays as it is.
 */
export function fitDrawing(
  wanted: DrawingParameters,
  { sizeStep, maxPixels, maxSteps }: Abilities,
): { drawing: DrawingParameters; warnings: string[] } {
  if (typeof wanted.prompt !== 'string') return { drawing: wanted, warnings: [] };
  const { width: wantedWidth, height: wantedHeight, steps: wantedSteps } = wanted;
  const tooLarge = wantedWidth * wantedHeight > maxPixels;
  const size = roundSize(tooLarge ? scaledTo(maxPixels, wanted) : wanted, sizeStep);
  const steps = Math.min(wantedSteps, maxSteps);
  const drawn = `this picture has ${size.width} × ${size.height} pixels`;
  const warnings: string[] = [];
  if (tooLarge) warnings.push(`a picture may have at most ${maxPixels} pixels here: ${drawn}`);
  else if (size.width !== wantedWidth || size.height !== wantedHeight)
    warnings.push(`width and height are rounded to multiples of ${sizeStep}: ${drawn}`);
  if (steps < wantedSteps) warnings.push(`steps may be at most ${maxSteps} here: this picture takes as many`);
  return { drawing: { ...wanted, ...size, steps }, warnings };
}
