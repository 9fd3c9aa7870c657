import { illuminate, setPixel, shade } from '../canvas.ts';
import { mix, type Oklch, rgb } from '../colour.ts';
import { COLOURS } from '../lexicon/colours.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between, pick } from '../random.ts';
import type { Layer } from './layer.ts';

/** Clouds of glowing gas in the dark, and a world or two. */
export const nebula: Layer = (canvas, scene, detail) => {
  const random = scene.streams('nebula');
  const gas = fractalNoise(scene.streams('gas'), detail.octaves + 1);
  const warp = fractalNoise(scene.streams('gas warp'), 3);
  const asked = scene.colours.map((name) => COLOURS[name]);
  const hues = pick(random, [
    [310, 235, 30],
    [265, 190, 330],
    [20, 290, 200],
  ] as const);
  const tint = (index: number, lightness: number): Oklch => {
    const wish = asked[index % Math.max(1, asked.length)];
    return [lightness, 0.2, wish ? wish[2] : (hues[index] ?? 280) + scene.palette.zenith[2] * 0.05];
  };
  const deep = rgb([0.16, 0.075, tint(1, 0)[2]]);
  const first = rgb(tint(0, 0.6));
  const second = rgb(tint(1, 0.55));
  const hot = rgb([0.88, 0.09, tint(2, 0)[2]]);
  const tilt = between(random, -0.8, 0.8);
  const cx = between(random, 0.35, 0.65) * scene.aspect;
  const cy = between(random, 0.38, 0.6);
  const area = canvas.area;
  const step = 1 / Math.min(canvas.unit, 420);
  const density = gridded(
    (x, y) => gas(x * 1.5 + warp(x * 1.2, y * 1.2) * 0.5, y * 1.5 + warp(y * 1.2 + 9, x * 1.2) * 0.5),
    area,
    step,
  );
  const veins = gridded((x, y) => 1 - Math.abs(warp(x * 2.2 + density(x, y) * 0.6, y * 2.2)), area, step);
  shade(canvas, (x, y, pixel) => {
    const along = (y - cy - tilt * (x - cx)) / 0.42;
    const band = Math.exp(-along * along);
    const cloud = smoothstep(-0.35, 0.75, density(x, y) + band * 0.35 - 0.15);
    setPixel(pixel, deep);
    illuminate(
      pixel,
      mix(second, first, smoothstep(-0.5, 0.6, density(y * 0.8 + 0.1, x * 0.8))),
      cloud * (0.42 + 0.7 * band),
    );
    illuminate(pixel, hot, smoothstep(0.7, 1, veins(x, y)) * cloud * band * 0.5);
    illuminate(pixel, hot, 0.7 * Math.exp(-(((x - cx) / 0.2) ** 2) - ((y - cy) / 0.14) ** 2) * cloud);
  });
};
