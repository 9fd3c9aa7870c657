import { cover, shade } from '../canvas.ts';
import { lit, mix, type Oklch, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between, pick } from '../random.ts';
import type { Layer } from './layer.ts';

const WOODS: readonly [Oklch, ...Oklch[]] = [
  [0.58, 0.09, 60],
  [0.48, 0.08, 48],
  [0.7, 0.07, 72],
];

/** A wooden table from its far edge to the viewer, lit from the window's side. */
export const tabletop: Layer = (canvas, scene, detail) => {
  const random = scene.streams('tabletop');
  const grain = fractalNoise(scene.streams('wood'), Math.min(4, detail.octaves));
  const light = mix(scene.palette.light, [1, 1, 1], 0.3);
  const wood = lit(rgb(pick(random, WOODS)), light);
  const dark = lit(wood, [0.55, 0.5, 0.52]);
  const bright = mix(wood, rgb(scene.palette.glow), 0.4);
  const edge = scene.horizon;
  const vanish = edge - 0.9;
  const plank = between(random, 0.17, 0.23);
  const shift = random();
  const middle = scene.aspect / 2;
  const sunny = scene.light?.x ?? middle;
  const soft = 1.2 / canvas.unit;
  shade(
    canvas,
    (x, y, pixel) => {
      const covered = smoothstep(edge - soft, edge + soft, y);
      if (covered === 0) return;
      // Planks run away from the viewer to one point behind the wall.
      const across = ((x - middle) / (y - vanish)) * 1.15 + shift;
      const board = Math.floor(across / plank);
      const within = across / plank - board;
      const near = (y - edge) / (1 - edge);
      const fibre = grain(across * 26 + board * 7, near * 1.6 + board * 3);
      let colour = mix(wood, dark, 0.3 * smoothstep(-0.3, 0.8, fibre) + 0.1 * (((board % 3) + 3) % 3));
      const sheen = Math.exp(-(((x - sunny) / 0.5) ** 2)) * (1 - near * 0.7);
      colour = mix(colour, bright, 0.45 * sheen);
      colour = mix(colour, dark, 0.4 * smoothstep(0.45, 1, near));
      const gap = Math.min(within, 1 - within) * plank * (y - vanish);
      cover(pixel, mix(dark, colour, smoothstep(0, 0.004 + soft, gap)), covered);
      if (y - edge < 0.006) cover(pixel, bright, 0.5 * covered);
    },
    { ...canvas.area, top: edge - 0.01 },
  );
};
