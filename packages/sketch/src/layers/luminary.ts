import { cover, dab, illuminate, shade } from '../canvas.ts';
import { mix, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { chance } from '../random.ts';
import type { Layer } from './layer.ts';

/** The disc of the sun, or a moon with its seas, and sometimes only a crescent. */
export const luminary: Layer = (canvas, scene, detail) => {
  const { light, palette } = scene;
  if (!light || scene.place === 'moonscape') return;
  const random = scene.streams('luminary');
  const glow = rgb(palette.glow);
  const veiled = scene.weather === 'clear' || scene.weather === 'snow' ? 1 : 0.55;
  dab(canvas, {
    ...light,
    radius: light.radius * 3.2,
    colour: glow,
    strength: 0.34 * veiled,
    edge: 0,
    light: true,
  });
  const crescent = light.kind === 'moon' && chance(random, 0.35);
  const seas = fractalNoise(random, detail.octaves);
  const tilt = random() * 2 - 1;
  const white = mix(glow, [1, 1, 1], 0.35);
  const pixelSize = 1 / (light.radius * canvas.unit);
  shade(
    canvas,
    (x, y, pixel) => {
      const u = (x - light.x) / light.radius;
      const v = (y - light.y) / light.radius;
      const inside = smoothstep(1 + pixelSize, 1 - pixelSize, Math.hypot(u, v));
      if (inside === 0) return;
      if (light.kind === 'sun') {
        cover(pixel, white, inside * veiled);
        return;
      }
      const shadow = crescent
        ? smoothstep(1.02 + pixelSize, 0.98 - pixelSize, Math.hypot(u - 0.42, v + tilt * 0.25))
        : 0;
      const sea = smoothstep(0.05, 0.6, seas(u * 0.9 + 4, v * 0.9)) * 0.2;
      cover(pixel, mix(white, rgb(palette.middle), sea), inside * veiled * (1 - shadow));
      if (crescent) illuminate(pixel, glow, inside * 0.03);
    },
    {
      left: light.x - light.radius * 1.1,
      right: light.x + light.radius * 1.1,
      top: light.y - light.radius * 1.1,
      bottom: light.y + light.radius * 1.1,
    },
  );
};
