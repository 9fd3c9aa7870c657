import { cover, illuminate, setPixel, shade } from '../canvas.ts';
import { lit, mix, type Oklch, rgb } from '../colour.ts';
import { COLOURS } from '../lexicon/colours.ts';
import { fraction, smoothstep } from '../noise.ts';
import { between, pick } from '../random.ts';
import type { Layer } from './layer.ts';
import { roomOf } from './room.ts';

const PAINTS: readonly [Oklch, ...Oklch[]] = [
  [0.86, 0.05, 85],
  [0.78, 0.06, 165],
  [0.74, 0.06, 235],
  [0.82, 0.07, 45],
  [0.8, 0.06, 15],
];

/** The wall of a kitchen, brightest around its window, with two rows of tiles above the table. */
export const wall: Layer = (canvas, scene) => {
  const { palette, horizon } = scene;
  const { window, day, shown } = roomOf(scene);
  const random = scene.streams('wall');
  const own = pick(random, PAINTS);
  const wish = scene.colours[0] && COLOURS[scene.colours[0]];
  const paint = shown(rgb(wish ? [0.74, Math.min(0.1, wish[1]), wish[2]] : own));
  const shadow = lit(paint, [0.7, 0.68, 0.74]);
  const tile = between(random, 0.06, 0.075);
  const tiles = horizon - tile * 2.02;
  const glaze = mix([1, 0.99, 0.96], shadow, 0.2);
  const grout = mix([1, 0.99, 0.96], shadow, 0.7);
  const glow = rgb(palette.glow);
  const cx = window.x + window.wide / 2;
  const cy = window.y + window.tall / 2;
  shade(canvas, (x, y, pixel) => {
    const away = Math.hypot(x - cx, y - cy);
    setPixel(pixel, mix(paint, shadow, 0.75 * smoothstep(0.2, 0.9, away)));
    if (y > tiles) {
      const u = Math.abs(fraction(x / tile) - 0.5);
      const v = Math.abs((((y - tiles) / tile) % 1) - 0.5);
      cover(pixel, mix(glaze, grout, smoothstep(0.44, 0.48, Math.max(u, v))), 0.5);
    }
    illuminate(pixel, glow, (day ? 0.3 : 0.1) * Math.exp(-((away / 0.42) ** 2)));
  });
};
