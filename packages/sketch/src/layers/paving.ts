import { cover, shade } from '../canvas.ts';
import { lit, mix, type Oklch, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import type { Layer } from './layer.ts';

const STONE: Oklch = [0.58, 0.025, 60];
const BRICK: Oklch = [0.5, 0.085, 38];
/** How high the wall around a roof is, and how far the slabs of a row are apart, in picture heights. */
const WALL = 0.05;
const SLAB = 0.3;

/** What one stands on in a city: slabs that run to the horizon, on a roof up to a low brick wall. */
export const paving: Layer = (canvas, scene, detail) => {
  if (scene.ground !== 'paving' || scene.water) return;
  const { aspect, horizon, palette } = scene;
  const random = scene.streams('paving');
  const grain = fractalNoise(scene.streams('stone'), Math.min(4, detail.octaves));
  const light = mix(palette.light, [1, 1, 1], 0.25);
  const far = rgb(palette.haze);
  const stone = mix(lit(rgb(STONE), light), rgb(palette.land), 0.25);
  const dark = lit(stone, [0.55, 0.55, 0.62]);
  const glow = mix(stone, rgb(palette.glow), 0.45);
  const brick = mix(lit(rgb(BRICK), light), rgb(palette.land), 0.2);
  const edge = horizon + (1 - horizon) * 0.42;
  const roof = scene.place === 'rooftop';
  const top = roof ? edge - WALL : edge;
  const vanish = horizon - 0.06;
  const middle = aspect * between(random, 0.4, 0.6);
  const sunny = scene.light?.x ?? middle;
  const soft = 1 / canvas.unit;
  shade(
    canvas,
    (x, y, pixel) => {
      const covered = smoothstep(top - soft, top + soft, y);
      if (covered === 0) return;
      if (y < edge) {
        const row = Math.floor((y - top) / 0.0125);
        const u = Math.abs((((x / 0.034 + (row % 2) * 0.5) % 1) + 1) % 1);
        const joint = Math.min(u, 1 - u) < 0.05 || ((y - top) / 0.0125) % 1 < 0.14;
        const worn = 0.25 * smoothstep(-0.4, 0.8, grain(x * 9, y * 20));
        let wall = mix(brick, dark, worn + (joint ? 0.3 : 0));
        if (y - top < 0.007) wall = mix(stone, glow, 0.55);
        cover(pixel, wall, covered);
        return;
      }
      const depth = 0.34 / (y - vanish);
      const across = (x - middle) * depth;
      const column = Math.abs(((across / SLAB) % 1) + 1) % 1;
      const along = (((depth * 1.7) / SLAB) % 1) + 0;
      const near = (y - edge) / (1 - edge);
      const gap = Math.min(column, 1 - column, along, 1 - along);
      const spot = grain(across * 3, depth * 6);
      let colour = mix(stone, dark, 0.3 * smoothstep(-0.4, 0.9, spot) + 0.22 * smoothstep(0.5, 1, near));
      colour = mix(colour, glow, 0.4 * Math.exp(-(((x - sunny) / 0.5) ** 2)) * (1 - near * 0.6));
      colour = mix(colour, dark, 0.6 * smoothstep(0.035 + 0.02 * depth, 0.015, gap));
      if (!roof) colour = mix(colour, far, 0.35 * (1 - smoothstep(0, 0.5, near)));
      else colour = mix(colour, dark, 0.45 * (1 - smoothstep(0, 0.12, near)));
      cover(pixel, colour, covered);
    },
    { ...canvas.area, top: top - 0.01 },
  );
};
