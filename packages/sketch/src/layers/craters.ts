import { type Canvas, cover, shade } from '../canvas.ts';
import { lit, mix, type Oklch, rgb } from '../colour.ts';
import { smoothstep } from '../noise.ts';
import { between, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { moved, placesOf } from './beyond.ts';

/** The colours of a crater's bowl and of its rim. */
const SOILS: Record<'moonscape' | 'mars', readonly [bowl: Oklch, rim: Oklch]> = {
  moonscape: [
    [0.4, 0.015, 265],
    [0.86, 0.012, 265],
  ],
  mars: [
    [0.4, 0.1, 38],
    [0.76, 0.08, 38],
  ],
};

/** Bowls with a lit rim, below `crest` (y at x). `near`: 0 far away to 1 at the viewer's feet. */
export function craters(
  canvas: Canvas,
  scene: Scene,
  random: Random,
  crest: (x: number) => number,
  near: number,
): void {
  const [bowl, rim] = SOILS[scene.place === 'mars' ? 'mars' : 'moonscape'];
  const dark = lit(rgb(bowl), scene.palette.light);
  const bright = lit(rgb(rim), mix(scene.palette.light, [1, 1, 1], 0.4));
  for (let crater = 0; crater < 10 + near * 8; crater++) {
    const x = random() * scene.aspect;
    const depth = random() ** 1.4;
    const y = crest(x) + 0.025 + depth * (1 - crest(x));
    const wide = (0.012 + 0.06 * depth) * between(random, 0.4, 1.2);
    const flat = wide * (0.2 + 0.16 * depth);
    for (const place of placesOf(canvas, scene, { below: 1 - scene.horizon }))
      bowlAt(moved(x, y, place), wide, flat);
  }

  function bowlAt({ x, y }: { x: number; y: number }, wide: number, flat: number): void {
    const fromLeft = (scene.light?.x ?? 0) < x ? 1 : -1;
    shade(
      canvas,
      (px, py, pixel) => {
        const u = (px - x) / wide;
        const v = (py - y) / flat;
        const reach = Math.hypot(u, v);
        const soft = 1.5 / (flat * canvas.unit);
        const inside = smoothstep(0.86 + soft, 0.86 - soft, reach);
        const edge = smoothstep(1.06 + soft, 1.06 - soft, reach) - inside;
        cover(pixel, bright, edge * (0.28 + 0.3 * Math.max(0, -v)));
        cover(pixel, dark, inside * (0.45 + 0.3 * Math.max(-1, Math.min(1, -u * fromLeft - v * 0.5))));
      },
      { left: x - wide * 1.3, right: x + wide * 1.3, top: y - flat * 1.3, bottom: y + flat * 1.3 },
    );
  }
}
