import { cloneCanvas, luminanceOf, shade } from '../canvas.ts';
import { luminance } from '../colour.ts';
import { fraction, hashNoise, smoothstep } from '../noise.ts';
import type { Filter } from './look.ts';

const PAPER = [0.965, 0.945, 0.905] as const;
const GRAPHITE = [0.2, 0.19, 0.23] as const;

/** Leaves a picture of few steps as a sketch: thin washes on paper, contours and hatching in pencil. */
export function pencil(strength: number): Filter {
  return (canvas) => {
    const model = cloneCanvas(canvas);
    const step = 1.3 / Math.min(700, canvas.unit);
    const level = luminanceOf(model);
    shade(canvas, (x, y, pixel) => {
      const tone = luminance(pixel.r, pixel.g, pixel.b);
      const edge = Math.hypot(
        level(x + step, y) - level(x - step, y),
        level(x, y + step) - level(x, y - step),
      );
      const contour = smoothstep(0.05, 0.28, edge);
      const wobble = 0.004 * Math.sin(y * 31) + 0.003 * Math.sin(x * 47);
      const first =
        smoothstep(0.25, 0.75, Math.abs(fraction((x + y * 0.9 + wobble) * 85) - 0.5) * 2) *
        smoothstep(0.62, 0.2, tone);
      const second =
        smoothstep(0.3, 0.8, Math.abs(fraction((x - y * 1.1 + wobble + 4) * 85) - 0.5) * 2) *
        smoothstep(0.34, 0.08, tone);
      const tooth = 0.75 + 0.25 * hashNoise(Math.floor(x * 900), Math.floor(y * 900));
      const mark = Math.min(1, contour * 0.85 + first * 0.32 + second * 0.32) * tooth;
      const wash = 0.42;
      const r = PAPER[0] + (pixel.r - PAPER[0]) * wash;
      const g = PAPER[1] + (pixel.g - PAPER[1]) * wash;
      const b = PAPER[2] + (pixel.b - PAPER[2]) * wash;
      pixel.r += (r + (GRAPHITE[0] - r) * mark - pixel.r) * strength;
      pixel.g += (g + (GRAPHITE[1] - g) * mark - pixel.g) * strength;
      pixel.b += (b + (GRAPHITE[2] - b) * mark - pixel.b) * strength;
    });
  };
}
