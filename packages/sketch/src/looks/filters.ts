import { blur, downscale } from '../blur.ts';
import { cover, illuminate, type Pixel, sample, shade } from '../canvas.ts';
import { luminance } from '../colour.ts';
import { hashNoise, smoothstep } from '../noise.ts';
import type { Filter } from './look.ts';

/** Light above `threshold` spills over its surroundings; `radius` in picture heights. */
export function bloom(threshold: number, radius: number, strength: number): Filter {
  return (canvas) => {
    const factor = Math.max(1, Math.round(canvas.unit / 180));
    const small = downscale(canvas, factor);
    shade(small, (_x, _y, pixel) => {
      const share = smoothstep(threshold, 1, luminance(pixel.r, pixel.g, pixel.b));
      pixel.r *= share;
      pixel.g *= share;
      pixel.b *= share;
    });
    blur(small, Math.max(1, radius * small.unit));
    const spill: Pixel = { r: 0, g: 0, b: 0 };
    shade(canvas, (x, y, pixel) => {
      sample(small, x, y, spill);
      illuminate(pixel, [spill.r, spill.g, spill.b], strength);
    });
  };
}

/** What lies behind goes out of focus; `radius` in picture heights. */
export function defocus(radius: number): Filter {
  return (canvas, { scene }) => {
    if (scene.actors.length === 0 || scene.framing === 'vista') return;
    const strength = scene.framing === 'portrait' ? 2 : 1;
    const factor = Math.max(1, Math.round(canvas.unit / 320));
    const small = downscale(canvas, factor);
    blur(small, Math.max(1, radius * strength * small.unit));
    const soft: Pixel = { r: 0, g: 0, b: 0 };
    const focus = scene.actors[0]?.y ?? 1;
    shade(canvas, (x, y, pixel) => {
      sample(small, x, y, soft);
      const share =
        smoothstep(focus - 0.06, focus - 0.2, y) * 0.9 + smoothstep(focus + 0.05, focus + 0.2, y) * 0.8;
      cover(pixel, [soft.r, soft.g, soft.b], share);
    });
  };
}

/** More colour above 1, less below. */
export function saturate(amount: number): Filter {
  return (canvas) => {
    shade(canvas, (_x, _y, pixel) => {
      const grey = luminance(pixel.r, pixel.g, pixel.b);
      pixel.r = grey + (pixel.r - grey) * amount;
      pixel.g = grey + (pixel.g - grey) * amount;
      pixel.b = grey + (pixel.b - grey) * amount;
    });
  };
}

/** Darker corners of the scene's frame, and as dark beyond it. */
export function vignette(strength: number): Filter {
  return (canvas, { scene: { aspect } }) => {
    shade(canvas, (x, y, pixel) => {
      const u = (x / aspect - 0.5) * 2;
      const v = (y - 0.5) * 2;
      const share = 1 - strength * smoothstep(0.5, 2, u * u + v * v);
      pixel.r *= share;
      pixel.g *= share;
      pixel.b *= share;
    });
  };
}

/** The curve of film: softer blacks and whites, cool shadows, warm lights. */
export const film: Filter = (canvas) => {
  shade(canvas, (_x, _y, pixel) => {
    const level = luminance(pixel.r, pixel.g, pixel.b);
    const tone = (v: number) => 0.02 + 0.965 * (v * v * (3 - 2 * v) * 0.45 + v * 0.55);
    pixel.r = tone(Math.min(1, pixel.r)) + (level - 0.45) * 0.035;
    pixel.g = tone(Math.min(1, pixel.g));
    pixel.b = tone(Math.min(1, pixel.b)) - (level - 0.45) * 0.04;
  });
};

/** Grain as large as on small film, strongest in the middle tones. */
export function grain(strength: number): Filter {
  return (canvas) => {
    const size = canvas.unit / Math.min(900, canvas.unit);
    shade(canvas, (x, y, pixel) => {
      const column = Math.floor((x * canvas.unit) / size);
      const row = Math.floor((y * canvas.unit) / size);
      const noise =
        hashNoise(column, row) + hashNoise(column + 7919, row) + hashNoise(column, row + 104_729) - 1.5;
      const level = luminance(pixel.r, pixel.g, pixel.b);
      const push = noise * strength * (0.35 + 2.6 * level * (1 - level));
      pixel.r += push;
      pixel.g += push;
      pixel.b += push;
    });
  };
}
