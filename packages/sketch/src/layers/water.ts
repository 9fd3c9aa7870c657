import { createNoise2D } from 'simplex-noise';
import { cloneCanvas, cover, illuminate, sample, shade } from '../canvas.ts';
import { lit, mix, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import type { Layer } from './layer.ts';

/** Water up to the horizon: what stands above it mirrored in ripples, and the light's path on it. */
export const water: Layer = (canvas, scene, detail) => {
  if (!scene.water || scene.ground === 'none') return;
  const { horizon, palette, light } = scene;
  const above = cloneCanvas(canvas);
  const ripple = fractalNoise(scene.streams('ripples'), Math.min(3, detail.octaves));
  const spark = createNoise2D(scene.streams('sparks'));
  const rough =
    { clear: 1, cloudy: 1.2, rain: 1.8, storm: 3, snow: 0.7, fog: 0.6 }[scene.weather] *
    (scene.place === 'sea' || scene.place === 'island' ? 1.5 : 0.7) *
    (scene.moods.includes('calm') ? 0.55 : 1);
  const tropical =
    scene.place === 'island' || (scene.place === 'sea' && scene.time === 'day' && scene.weather === 'clear');
  const deep = tropical
    ? lit(rgb([0.58, 0.11, 215]), palette.light)
    : mix(
        lit(rgb([palette.zenith[0] * 0.8, palette.zenith[1], palette.zenith[2]]), [0.85, 0.9, 0.95]),
        rgb(palette.land),
        0.25,
      );
  const glow = rgb(palette.glow);
  const shine = rgb(palette.horizon);
  const stars = scene.style === 'poster' ? 0.6 : 1;
  shade(
    canvas,
    (x, y, pixel) => {
      const depth = (y - horizon) / (1 - horizon);
      const perspective = 1 / (depth + 0.045);
      const wave = ripple(x * (1.2 + perspective * 0.75), perspective * 3.4 + depth * 6);
      const swing = wave * rough * (0.004 + 0.022 * depth);
      const mirroredY = Math.max(canvas.area.top, 2 * horizon - y + swing * 1.6 - 0.004);
      sample(above, x + swing * 0.8, mirroredY, pixel);
      const clear = 0.84 - 0.55 * Math.min(1, depth * (0.75 + rough * 0.12));
      cover(pixel, deep, 1 - clear);
      cover(pixel, shine, Math.max(0, wave) * 0.16 * (0.5 + rough * 0.35));
      cover(pixel, deep, Math.max(0, -wave) * 0.2);
      const shore = smoothstep(0.018, 0, depth);
      if (shore > 0) cover(pixel, rgb(palette.haze), shore * 0.35);
      if (!light || light.y > horizon + 0.05) return;
      const spread = 0.03 + depth * 0.13 + light.radius * 0.5;
      const off = (x - light.x + swing * 2) / spread;
      if (Math.abs(off) > 3) return;
      const glint = spark(x * (9 + perspective * 2.6), perspective * 14 + depth * 62) * 0.5 + 0.5;
      const path = Math.exp(-off * off);
      illuminate(
        pixel,
        glow,
        path *
          (0.16 + 0.9 * smoothstep(0.62 - 0.2 * path, 0.8, glint)) *
          stars *
          (scene.weather === 'clear' ? 0.9 : 0.5),
      );
    },
    { ...canvas.area, top: horizon },
  );
};
