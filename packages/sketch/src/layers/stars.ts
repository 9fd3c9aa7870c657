import { dab, illuminate, shade } from '../canvas.ts';
import { mix, type Rgb, rgb } from '../colour.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between, chance } from '../random.ts';
import { moved, placesOf } from './beyond.ts';
import type { Layer } from './layer.ts';

const WARM: Rgb = [1, 0.88, 0.74];
const COLD: Rgb = [0.8, 0.9, 1];

/** Stars thinning out towards the horizon, and over a clear night a milky way. */
export const stars: Layer = (canvas, scene, detail) => {
  if (!scene.elements.has('stars')) return;
  const random = scene.streams('stars');
  const { aspect, place } = scene;
  const deep = place === 'space' || place === 'moonscape';
  const floor = place === 'space' ? 1 : scene.horizon;
  const places = placesOf(canvas, scene, place === 'space' ? { everywhere: true } : { above: floor });
  if (scene.time === 'night') milkyWay();
  const count = Math.round(420 * Math.sqrt(aspect) * (0.35 + 0.65 * detail.abundance));
  for (let star = 0; star < count; star++) {
    const x = random() * aspect;
    const y = random() ** (deep ? 1 : 1.35) * floor;
    const size = random() ** 7;
    const colour = mix(WARM, COLD, random());
    const fade = deep ? 1 : 1 - (y / floor) ** 2;
    const strength = (0.25 + 0.75 * size) * fade * between(random, 0.5, 1);
    const radius = Math.max(0.7 / canvas.unit, 0.0009 + 0.0022 * size);
    for (const there of places) {
      const at = { ...moved(x, y, there), colour, light: true };
      dab(canvas, { ...at, radius, strength, edge: 0.5 });
      if (size > 0.55) dab(canvas, { ...at, radius: radius * 5, strength: 0.25 * fade, edge: 0 });
    }
  }

  function milkyWay(): void {
    const dust = fractalNoise(scene.streams('milky way'), detail.octaves);
    const slope = chance(random, 0.5) ? 0.8 : -0.8;
    const middle = between(random, 0.3, 0.7) * aspect;
    const cloud = gridded((x, y) => dust(x * 2.4, y * 2.4), canvas.area, 1 / 200);
    const tint = mix(rgb(scene.palette.glow), rgb(scene.palette.horizon), 0.55);
    shade(
      canvas,
      (x, y, pixel) => {
        const across = (x - middle - slope * (0.45 - y)) / 0.26 + cloud(x, y) * 0.35;
        const band = Math.exp(-across * across * 2.2);
        const lane =
          1 - 0.75 * smoothstep(0.05, 0.5, cloud(x * 0.93 + 0.02, y)) * Math.exp(-across * across * 9);
        illuminate(pixel, tint, band * lane * 0.3 * (1 - smoothstep(0.4, 1, y / floor)));
      },
      { ...canvas.area, bottom: floor },
    );
  }
};

/** Curtains of northern light. */
export const aurora: Layer = (canvas, scene, detail) => {
  if (!scene.elements.has('aurora')) return;
  const random = scene.streams('aurora');
  const folds = fractalNoise(random, Math.min(4, detail.octaves));
  const rays = fractalNoise(random, 2);
  const green: Rgb = [0.25, 1, 0.62];
  const violet: Rgb = [0.62, 0.3, 0.95];
  for (let curtain = 0; curtain < 3; curtain++) {
    const base = scene.horizon * between(random, 0.45, 0.85);
    const tall = scene.horizon * between(random, 0.45, 0.7);
    const shift = random() * 40;
    shade(
      canvas,
      (x, y, pixel) => {
        const hem = base + 0.14 * folds(x * 0.9 + shift, 0) + 0.02 * folds(x * 4 + shift, 3);
        const up = (hem - y) / tall;
        if (up < -0.06 || up > 1) return;
        const ray = 0.55 + 0.45 * rays(x * 14 + shift + 0.6 * up, up * 0.4);
        const power = up < 0 ? 1 + up / 0.06 : (1 - up) ** 1.7;
        illuminate(pixel, mix(green, violet, smoothstep(0.1, 0.8, up)), power * ray * 0.55);
      },
      { ...canvas.area, bottom: scene.horizon },
    );
  }
};
