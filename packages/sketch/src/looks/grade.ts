import { shade } from '../canvas.ts';
import { luminance } from '../colour.ts';
import type { Filter } from './look.ts';

/** The guidance at which a picture is left as it is. */
const NEUTRAL_CFG = 7;

/** Guidance as a print grade: more of it gives contrast and colour, less of it a softer sheet. */
export function grade(cfg: number): Filter {
  const pull = Math.max(-1, Math.min(1.6, (cfg - NEUTRAL_CFG) / 8));
  const contrast = 1 + pull * 0.17;
  const colour = 1 + pull * 0.26;
  return (canvas) => {
    if (pull === 0) return;
    shade(canvas, (_x, _y, pixel) => {
      const grey = luminance(pixel.r, pixel.g, pixel.b);
      const shift = (grey - 0.46) * contrast + 0.46 - grey * colour;
      pixel.r = pixel.r * colour + shift;
      pixel.g = pixel.g * colour + shift;
      pixel.b = pixel.b * colour + shift;
    });
  };
}
