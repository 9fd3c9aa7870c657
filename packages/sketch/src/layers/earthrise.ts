import { cover, dab, shade } from '../canvas.ts';
import { lit, mix, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import type { Layer } from './layer.ts';

/** Earth over the horizon of a world without air. */
export const earthrise: Layer = async (canvas, scene) => {
  if (scene.place !== 'moonscape') return;
  const random = scene.streams('earthrise');
  const right = (scene.actors[0]?.x ?? 0) < scene.aspect / 2;
  const radius = between(random, 0.09, 0.13) * Math.min(1, scene.aspect);
  const x = scene.aspect * (right ? between(random, 0.7, 0.8) : between(random, 0.2, 0.3));
  const y = between(random, 0.2, 0.28);
  const land = fractalNoise(scene.streams('continents'), 4);
  dab(canvas, { x, y, radius: radius * 1.7, colour: [0.35, 0.6, 1], strength: 0.4, edge: 0, light: true });
  shade(
    canvas,
    (px, py, pixel) => {
      const u = (px - x) / radius;
      const v = (py - y) / radius;
      const out = Math.hypot(u, v);
      const inside = smoothstep(1 + 1 / (radius * canvas.unit), 1 - 1 / (radius * canvas.unit), out);
      if (inside === 0) return;
      const bulge = 1 / Math.max(0.3, Math.sqrt(Math.max(0, 1 - out * out * 0.8)));
      const ground = land(u * bulge * 0.8, v * bulge * 0.8);
      const cloud = smoothstep(0.15, 0.6, land(u * bulge * 1.1 + 9, v * bulge * 2 + 4));
      const sea = rgb([0.5, 0.14, 250]);
      const soil = mix(rgb([0.56, 0.11, 145]), rgb([0.68, 0.08, 80]), smoothstep(0.1, 0.5, ground));
      const surface = mix(mix(sea, soil, smoothstep(0.02, 0.1, ground)), [1, 1, 1], cloud * 0.85);
      const day = smoothstep(-0.55, 0.45, -u * 0.8 - v * 0.5);
      cover(pixel, lit(surface, [0.1 + 0.95 * day, 0.1 + 0.95 * day, 0.16 + 0.9 * day]), inside);
    },
    { left: x - radius * 1.1, right: x + radius * 1.1, top: y - radius * 1.1, bottom: y + radius * 1.1 },
  );
};
