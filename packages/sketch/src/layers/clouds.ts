import { type Canvas, cover, shade } from '../canvas.ts';
import { css, mix, type Rgb, rgb } from '../colour.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Detail, Layer } from './layer.ts';

export const clouds: Layer = (canvas, scene, detail) => {
  if (!scene.elements.has('clouds')) return;
  const drawn = scene.style === 'anime' || scene.style === 'poster';
  const calm = scene.weather === 'clear' || scene.weather === 'snow' || scene.weather === 'cloudy';
  return drawn && calm ? puffs(canvas, scene) : drift(canvas, scene, detail);
};

function tones(scene: Scene): { bright: Rgb; shadow: Rgb } {
  const { palette, time } = scene;
  const glow = rgb(palette.glow);
  const horizon = rgb(palette.horizon);
  if (time === 'night')
    return {
      bright: mix(rgb(palette.middle), horizon, 0.5),
      shadow: mix(rgb(palette.zenith), rgb(palette.middle), 0.45),
    };
  if (time === 'day')
    return { bright: [1, 1, 0.99], shadow: mix(rgb(palette.middle), [0.9, 0.92, 0.97], 0.5) };
  return { bright: mix(glow, horizon, 0.3), shadow: mix(rgb(palette.zenith), rgb(palette.middle), 0.6) };
}

/** Soft clouds in perspective: flat streaks far away, heaps overhead, lit from where the light stands. */
function drift(canvas: Canvas, scene: Scene, detail: Detail): void {
  const { horizon, light, aspect, weather } = scene;
  const { bright, shadow } = tones(scene);
  const noise = fractalNoise(scene.streams('clouds'), Math.min(6, detail.octaves + 1));
  const bend = fractalNoise(scene.streams('cloud bends'), 2);
  const heavy = weather === 'storm' || weather === 'rain';
  const threshold = { clear: 0.16, cloudy: -0.12, rain: -0.35, storm: -0.4, snow: -0.15, fog: 0.05 }[weather];
  const area = { ...canvas.area, bottom: horizon + 0.02 };
  const density = gridded(
    (x, y) => {
      const depth = 0.16 + Math.max(0, horizon - y);
      const u = (x - aspect / 2) / depth + 7;
      const v = 1.1 / depth;
      const warp = bend(u * 0.5, v * 0.5) * 0.45;
      return noise(u * 0.52 + warp, v * 0.95 + warp * 0.4);
    },
    area,
    1 / Math.min(canvas.unit, 420),
  );
  const lightX = light?.x ?? aspect * 0.3;
  const lightY = light?.y ?? 0;
  const dark = heavy ? mix(shadow, rgb(scene.palette.zenith), 0.4) : shadow;
  shade(
    canvas,
    (x, y, pixel) => {
      const here = density(x, y);
      const body = smoothstep(threshold, threshold + 0.5, here);
      if (body === 0) return;
      const away = Math.hypot(lightX - x, lightY - y) + 0.001;
      const towards = density(x + ((lightX - x) / away) * 0.022, y + ((lightY - y) / away) * 0.022);
      const lit = Math.min(
        1,
        Math.max(0, 0.5 + (here - towards) * 1.7 + (heavy ? -0.18 : 0.12) - (here - threshold) * 0.35),
      );
      const colour = mix(dark, bright, lit);
      const nearHorizon = smoothstep(horizon, horizon - 0.12, y);
      cover(pixel, colour, body * (heavy ? 0.92 : 0.78) * (0.25 + 0.75 * nearHorizon));
    },
    area,
  );
}

/** Heaped clouds with flat feet, as they are drawn. */
async function puffs(canvas: Canvas, scene: Scene): Promise<void> {
  const random = scene.streams('puffs');
  const { aspect, horizon, style } = scene;
  const { bright, shadow } = tones(scene);
  const count = Math.round((scene.weather === 'clear' ? 4 : 7) * Math.sqrt(aspect));
  let elements = '';
  for (let cloud = 0; cloud < count; cloud++) {
    const far = cloud / count;
    const x = random() * aspect * MILLI;
    const y = (horizon * (0.92 - 0.68 * far) - 0.02 * random()) * MILLI;
    const wide = (90 + 190 * far) * between(random, 0.7, 1.25);
    const tint = mix(mix(shadow, bright, 0.55), rgb(scene.palette.horizon), 0.55 * (1 - far));
    const top = mix(bright, rgb(scene.palette.horizon), 0.45 * (1 - far));
    if (style === 'poster') {
      elements += bars(random, x, y, wide, css(top));
      continue;
    }
    let heap = '';
    let crown = '';
    const lumps = 9;
    for (let lump = 0; lump < lumps; lump++) {
      const along = (lump + 0.5) / lumps - 0.5;
      const radius = wide * (0.36 - 0.9 * along * along) * between(random, 0.55, 0.85);
      const cx = x + along * wide * 1.7;
      const cy = y - radius * between(random, 0.5, 1.1);
      heap += `<circle cx="${cx}" cy="${cy}" r="${radius}"/>`;
      crown += `<circle cx="${cx - radius * 0.12}" cy="${cy - radius * 0.16}" r="${radius * 0.86}"/>`;
    }
    const clip = `c${cloud}`;
    elements += `<clipPath id="${clip}"><rect x="${x - wide * 2}" y="${y - wide * 3}" width="${wide * 4}" height="${wide * 3}"/></clipPath><g clip-path="url(#${clip})"><g fill="${css(tint)}">${heap}</g><g fill="${css(top)}">${crown}</g></g>`;
  }
  const area = { ...canvas.area, bottom: horizon + 0.05 };
  const strength = scene.time === 'night' ? 0.6 : 0.94;
  await overlay(canvas, repeated(elements, placesOf(canvas, scene)), { area, strength });
}

/** A cloud of three rounded bars, as posters have them. */
function bars(random: Random, x: number, y: number, wide: number, colour: string): string {
  const tall = wide * 0.16;
  return [1, 0.72, 0.38]
    .map((share, bar) => {
      const long = wide * 1.5 * share;
      const left = x - long / 2 + between(random, -0.2, 0.2) * wide;
      return svg`<rect x="${left}" y="${y - tall * (bar + 1) * 0.96}" width="${long}" height="${tall}" rx="${tall / 2}" fill="${colour}"/>`;
    })
    .join('');
}
