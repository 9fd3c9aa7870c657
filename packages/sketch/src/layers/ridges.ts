import { type Area, type Canvas, columnOf, cover, shade } from '../canvas.ts';
import { lit, mix, type Rgb, rgb } from '../colour.ts';
import { gridded, type Noise, ridgedNoise, smoothstep } from '../noise.ts';
import { distant } from '../palette.ts';
import type { Scene } from '../scene.ts';
import type { Detail, Layer } from './layer.ts';
import { crestSamples, edge } from './ridge-edge.ts';
import { type Ridge, ranges } from './ridge-lines.ts';

/** Mountains, hills, woods or dunes one behind the other, each further one paler. */
export const ridges: Layer = (canvas, scene, detail) => {
  if (scene.backdrop === 'none' || scene.backdrop === 'city') return;
  for (const ridge of ranges(scene, scene.backdrop, detail)) draw(canvas, scene, ridge, detail);
};

function draw(canvas: Canvas, scene: Scene, ridge: Ridge, detail: Detail): void {
  const { palette, light, aspect } = scene;
  const near = distant(palette, ridge.surface, ridge.distance);
  const haze = rgb(palette.haze);
  const glow = rgb(palette.glow);
  const bright = mix(near, scene.time === 'night' ? haze : glow, scene.time === 'night' ? 0.22 : 0.42);
  const dark = mix(near, lit(rgb(palette.zenith), [0.8, 0.8, 0.85]), 0.55 * (1 - ridge.distance * 0.5));
  const snow = mix(
    lit([0.95, 0.97, 1], mix(scene.palette.light, [1, 1, 1], 0.25)),
    haze,
    ridge.distance * 0.75,
  );
  const snowShade = mix(snow, lit(rgb(palette.zenith), [1.1, 1.1, 1.1]), 0.4);
  const top = Math.min(...crestSamples(ridge, canvas.area)) - ridge.fringe - 0.01;
  // Water and ground cover what lies lower.
  const area = { ...canvas.area, top, bottom: scene.horizon + (scene.water ? 0.03 : 0.13) };
  const texture = rockTexture(scene, ridge, detail, area, canvas.unit);
  const fromLeft = (light?.x ?? 0) < aspect / 2 ? 1 : -1;
  const coverage = edge(canvas, ridge, scene);
  const snowline =
    scene.ground === 'snow' || scene.place === 'arctic'
      ? 0.6
      : scene.ground === 'rock' || scene.ground === 'sand'
        ? -1
        : 0.36;
  const depth = Math.max(0.05, ridge.foot - top);
  const mist =
    scene.place === 'moonscape' ? 0 : scene.weather === 'fog' ? 0.9 : 0.55 * (0.35 + 0.65 * ridge.distance);
  shade(
    canvas,
    (x, y, pixel) => {
      const column = Math.min(canvas.width - 1, columnOf(canvas, x));
      const covered = coverage.at(column, y);
      if (covered === 0) return;
      const below = y - (coverage.crest[column] ?? 0);
      let colour: Rgb = near;
      if (texture) {
        const facing =
          scene.style === 'poster'
            ? plane(coverage.crest, columnOf(canvas, x) + 0.5, below, canvas.unit * fromLeft)
            : smoothstep(-0.11, 0.15, texture(x, y) - texture(x - 0.012 * fromLeft, y - 0.006));
        colour = mix(dark, bright, facing);
        const white = smoothstep(
          snowline + 0.06,
          snowline - 0.04,
          (y - ridge.peak) / (ridge.foot - ridge.peak) + 0.34 * (texture(x, y) - 0.5),
        );
        if (white > 0) colour = mix(colour, mix(snowShade, snow, facing), white * 0.94);
      } else if (below < 0.06 && scene.time !== 'night') {
        colour = mix(near, bright, (1 - below / 0.06) * 0.35);
      }
      cover(pixel, mix(colour, haze, mist * smoothstep(0, depth, below)), covered);
    },
    area,
  );
}

/** Which side of a folded mountain this is: 1 towards the light, 0 away from it, the fold zigzagging downwards. */
function plane(crest: Float32Array, column: number, below: number, scale: number): number {
  const zigzag = (Math.abs(((below * 9) % 1) - 0.5) * 0.05 + below * 0.12) * scale;
  const at = Math.min(crest.length - 3, Math.max(2, Math.round(column - zigzag)));
  const slope = (crest[at + 2] ?? 0) - (crest[at - 2] ?? 0);
  return slope * scale < 0 ? 1 : 0.12;
}

function rockTexture(
  scene: Scene,
  ridge: Ridge,
  detail: Detail,
  area: Area,
  height: number,
): Noise | undefined {
  if (!ridge.rocky) return undefined;
  const rock = ridgedNoise(
    scene.streams(`rock ${ridge.distance.toFixed(2)}`),
    scene.style === 'poster' ? 1 : detail.octaves,
  );
  const scale = scene.style === 'poster' ? 2.4 : 3.4;
  return gridded(
    (x, y) => {
      const below = y - ridge.crest(x);
      return rock(x * scale + below * 1.4, below * scale * 0.55);
    },
    { ...area, bottom: Math.min(1, ridge.foot + 0.06) },
    1 / Math.min(height, 360),
  );
}
