import { cover, shade } from '../canvas.ts';
import { mix, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import type { Layer } from './layer.ts';

/** Phobos and Deimos over Mars: two small pale stones, never quite round. */
export const moons: Layer = (canvas, scene) => {
  if (scene.place !== 'mars') return;
  const random = scene.streams('moons');
  const stone = mix(rgb(scene.palette.horizon), [1, 1, 1], 0.45);
  const shadow = rgb(scene.palette.middle);
  const left = (scene.light?.x ?? 0) > scene.aspect / 2;
  for (const [index, size] of [0.034, 0.014].entries()) {
    const shape = fractalNoise(scene.streams(`moon ${index}`), 2);
    const radius = size * Math.min(1, scene.aspect) * between(random, 0.9, 1.15);
    const x = scene.aspect * (left ? between(random, 0.1, 0.42) : between(random, 0.58, 0.9));
    const y = index === 0 ? between(random, 0.12, 0.2) : between(random, 0.24, 0.32);
    const towards = (scene.light?.x ?? 0) < x ? -1 : 1;
    const soft = 1.2 / (radius * canvas.unit);
    shade(
      canvas,
      (px, py, pixel) => {
        const u = (px - x) / radius;
        const v = ((py - y) / radius) * 1.18;
        const reach = Math.hypot(u, v) + 0.22 * shape(u * 0.7, v * 0.7);
        const inside = smoothstep(1 + soft, 1 - soft, reach);
        if (inside === 0) return;
        const lit = smoothstep(-0.7, 0.5, u * towards * 0.8 - v * 0.4 + 0.3 * shape(u * 2, v * 2));
        cover(pixel, mix(shadow, stone, lit), inside * 0.9);
      },
      { left: x - radius * 1.5, right: x + radius * 1.5, top: y - radius * 1.5, bottom: y + radius * 1.5 },
    );
  }
};
