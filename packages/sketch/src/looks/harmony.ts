import { shade } from '../canvas.ts';
import { luminance, rgb } from '../colour.ts';
import { smoothstep } from '../noise.ts';
import type { Filter } from './look.ts';

const STRENGTH = 0.16;

/** Lays the sky's own colours over everything, its zenith in the shadows and its glow in the lights. */
export const harmony: Filter = (canvas, { scene }) => {
  const cool = rgb([0.5, scene.palette.zenith[1], scene.palette.zenith[2]]);
  const warm = rgb([0.75, scene.palette.horizon[1], scene.palette.horizon[2]]);
  const coolness = luminance(cool[0], cool[1], cool[2]);
  const warmth = luminance(warm[0], warm[1], warm[2]);
  shade(canvas, (_x, _y, pixel) => {
    const level = luminance(pixel.r, pixel.g, pixel.b);
    const high = smoothstep(0.3, 0.8, level);
    const low = 1 - high;
    pixel.r += STRENGTH * (low * (cool[0] - coolness) * 0.7 + high * (warm[0] - warmth));
    pixel.g += STRENGTH * (low * (cool[1] - coolness) * 0.7 + high * (warm[1] - warmth));
    pixel.b += STRENGTH * (low * (cool[2] - coolness) * 0.7 + high * (warm[2] - warmth));
  });
};
