import { type Canvas, illuminate, shade } from '../canvas.ts';
import { luminance, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { bloom, saturate } from './filters.ts';
import { type Filter, type FilterContext, fromSteps, type Look } from './look.ts';

/** Drawn animation: flat bands of light, strong colour, shafts of sun. Outlines come with the subjects. */
export const anime: Look = {
  sky: [],
  land: [bandsOf(14), saturate(1.22)],
  subjects: [fromSteps(4, shafts)],
  picture: [saturate(1.08), fromSteps(12, bloom(0.72, 0.03, 0.3))],
};

function bandsOf(count: number): Filter {
  return (canvas) => {
    shade(canvas, (_x, _y, pixel) => {
      const level = luminance(pixel.r, pixel.g, pixel.b);
      const band = level * count;
      const flat = (Math.floor(band) + smoothstep(0.36, 0.64, band - Math.floor(band))) / count;
      const change = (flat + 0.02) / (level + 0.02);
      pixel.r *= change;
      pixel.g *= change;
      pixel.b *= change;
    });
  };
}

function shafts(canvas: Canvas, { scene }: FilterContext): void {
  const { light, palette } = scene;
  if (!light || scene.place === 'moonscape' || scene.weather === 'rain' || scene.weather === 'storm') return;
  const glow = rgb(palette.glow);
  const rays = fractalNoise(scene.streams('shafts'), 2);
  shade(canvas, (x, y, pixel) => {
    const dx = x - light.x;
    const dy = y - light.y;
    const angle = Math.atan2(dy, dx);
    const away = Math.hypot(dx, dy);
    const ray = smoothstep(0.1, 0.7, rays(Math.cos(angle) * 2.6, Math.sin(angle) * 2.6));
    illuminate(pixel, glow, ray * 0.24 * smoothstep(0.02, 0.16, away) * Math.exp(-away * 1.5));
  });
}
