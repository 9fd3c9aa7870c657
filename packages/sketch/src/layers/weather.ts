import { cover, illuminate, shade } from '../canvas.ts';
import { mix, rgb } from '../colour.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import type { Layer } from './layer.ts';

/**
 * A bank of fog that is densest so far `below` the horizon, and thins out within `reach`; `most`: the share that it
 * covers.
 */
const fogBank =
  (name: string, below: number, reach: number, most: number): Layer =>
  (canvas, scene, detail) => {
    if (scene.weather !== 'fog') return;
    const bank = fractalNoise(scene.streams(name), Math.min(4, detail.octaves));
    const haze = mix(rgb(scene.palette.haze), rgb(scene.palette.horizon), 0.4);
    const field = gridded((x, y) => bank(x * 1.1, y * 4.2), canvas.area, 1 / 180);
    shade(canvas, (x, y, pixel) => {
      const belt = 0.3 + 0.7 * Math.exp(-(((y - scene.horizon - below) / reach) ** 2));
      cover(pixel, haze, most * belt * (0.38 + 0.62 * smoothstep(-0.4, 0.6, field(x, y))));
    });
  };

/** Behind what stands in the picture. */
export const fog = fogBank('fog', 0.01, 0.2, 0.8);
/** Before it, so that nothing is seen clearly. */
export const mist = fogBank('mist', 0.06, 0.3, 0.85);

export const rainbow: Layer = (canvas, scene) => {
  if (!scene.elements.has('rainbow')) return;
  const middle = scene.aspect * between(scene.streams('rainbow'), 0.4, 0.6);
  const radius = Math.min(0.56, scene.aspect * 0.52);
  const bands = Array.from({ length: 7 }, (_, band) =>
    rgb([0.75, 0.16, [300, 275, 240, 150, 100, 60, 25][band] ?? 0]),
  );
  shade(
    canvas,
    (x, y, pixel) => {
      const place = (Math.hypot(x - middle, y - scene.horizon - 0.06) - radius) / 0.065;
      if (place < 0 || place > 1) return;
      const band = bands[Math.min(6, Math.floor(place * 7))] ?? [1, 1, 1];
      illuminate(
        pixel,
        band,
        0.42 * Math.sin(place * Math.PI) * smoothstep(scene.horizon + 0.05, scene.horizon - 0.3, y),
      );
    },
    { ...canvas.area, bottom: scene.horizon + 0.06 },
  );
};
