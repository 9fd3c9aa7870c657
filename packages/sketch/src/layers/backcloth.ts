import { cover, dab, setPixel, shade } from '../canvas.ts';
import { gradient, mix, rgb } from '../colour.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import type { Layer } from './layer.ts';

/** What a portrait is taken before: a mottled cloth, and a disc behind the head with a thin ring around it. */
export const backcloth: Layer = (canvas, scene, detail) => {
  const { palette, aspect } = scene;
  const random = scene.streams('backcloth');
  const weave = fractalNoise(scene.streams('weave'), Math.min(4, detail.octaves));
  const mottle = gridded((x, y) => weave(x * 2.1, y * 2.1), canvas.area, 1 / Math.min(canvas.unit, 240));
  const cloth = gradient([
    [0, palette.zenith],
    [0.6, palette.middle],
    [1, [palette.middle[0] * 0.72, palette.middle[1], palette.middle[2]]],
  ]);
  const dark = rgb([palette.zenith[0] * 0.7, palette.zenith[1], palette.zenith[2]]);
  const light = rgb(palette.horizon);
  const measure = Math.min(1, aspect * 1.3);
  const x = aspect / 2;
  const y = 1.01 - 0.6 * measure;
  const radius = between(random, 0.36, 0.41) * measure;
  const ring = radius * between(random, 1.1, 1.16);
  const soft = 1 / canvas.unit;
  shade(canvas, (px, py, pixel) => {
    const stain = mottle(px, py);
    const base = cloth(py + stain * 0.16);
    const colour = mix(base, stain > 0 ? light : dark, Math.abs(stain) * 0.22);
    setPixel(pixel, colour);
    const away = Math.hypot(px - x, py - y);
    const disc = smoothstep(radius + soft, radius - soft, away);
    if (disc > 0) cover(pixel, mix(light, base, 0.16 + 0.34 * smoothstep(0, radius, away)), disc * 0.86);
    const line = smoothstep(0.004 + soft, 0.004 - soft, Math.abs(away - ring));
    if (line > 0) cover(pixel, light, line * 0.6);
  });
  dab(canvas, {
    x,
    y,
    radius: radius * 1.7,
    colour: rgb(palette.glow),
    strength: 0.22,
    edge: 0,
    light: true,
  });
};
