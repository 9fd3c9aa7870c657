import { lit, mix, type Rgb } from '../colour.ts';
import type { Scene } from '../scene.ts';

/**
 * Where window and shelf hang on the wall, in picture heights, and what light falls on them: the window is on the side
 * where the light stands.
 */
export function roomOf({ aspect, horizon, light, time, palette }: Scene) {
  const left = (light?.x ?? 0) < aspect / 2;
  const wide = Math.min(0.36, aspect * 0.38);
  const margin = aspect * 0.09;
  const window = { x: left ? margin : aspect - margin - wide, y: 0.08, wide, tall: horizon - 0.26 };
  const shelf = {
    x: left ? aspect - margin - wide * 0.9 : margin,
    y: window.y + window.tall * 0.62,
    wide: wide * 0.9,
  };
  const lamp = mix(palette.light, [1, 1, 1], 0.3);
  return {
    window,
    shelf,
    day: time !== 'night' && time !== 'dusk',
    /** A colour as the room's own light shows it. */
    shown: (colour: Rgb): Rgb => lit(colour, lamp),
  };
}
