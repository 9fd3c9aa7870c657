import { type Canvas, dab } from '../canvas.ts';
import { mix, rgb } from '../colour.ts';
import { HABITATS } from '../habitat.ts';
import type { Actor, Scene } from '../scene.ts';
import { opacityAt, type Raster } from '../vector.ts';

/**
 * How the scene's light changes a subject's own colours: ambient light, haze by distance, a rim towards the light.
 */
export function lighting(canvas: Canvas, scene: Scene, actor: Actor, body: Raster) {
  const { palette, light, style } = scene;
  const glow = rgb(palette.glow);
  const haze = rgb(palette.haze);
  const ambient = mix(
    palette.light,
    [1, 1, 1],
    scene.framing === 'portrait' ? 0.5 : style === 'anime' ? 0.42 : 0.3,
  );
  const far = HABITATS[actor.kind].far ? 0.16 : 0.03;
  const veil = (scene.weather === 'fog' ? 0.22 : 0) + far;
  const reach = Math.max(1, actor.size * canvas.unit * 0.012);
  const toLightX = (light?.x ?? scene.aspect * 0.3) - actor.x;
  const toLightY = (light?.y ?? 0.1) - (actor.y - actor.size / 2);
  const length = Math.hypot(toLightX, toLightY) || 1;
  const stepX = Math.round((toLightX / length) * reach);
  const stepY = Math.round((toLightY / length) * reach);
  const power = scene.time === 'day' ? 0.3 : scene.weather === 'clear' ? 0.55 : 0.28;
  const folded = style === 'poster' ? folds(actor) : undefined;
  return (x: number, y: number, colour: [number, number, number], column: number, row: number) => {
    const rim = Math.max(0, 1 - opacityAt(body, column + stepX, row + stepY));
    const low = Math.max(0, Math.min(1, (y - actor.y + actor.size) / actor.size));
    for (const channel of [0, 1, 2] as const) {
      let value = colour[channel] * ambient[channel] * (1.05 - 0.2 * low);
      value += (haze[channel] - value) * veil;
      value += (glow[channel] - value) * rim * power;
      if (folded) value *= folded(x, y);
      colour[channel] = value;
    }
  };
}

/** Creases, so that a subject is of the same folded paper as the view of a poster. */
function folds(actor: Actor): (x: number, y: number) => number {
  const cell = actor.size * 0.16;
  return (x, y) => {
    const u = (x - actor.x) / cell;
    const v = (y - actor.y) / cell;
    const side = u - Math.floor(u) > v - Math.floor(v) ? 1 : -1;
    const tile = (Math.floor(u) * 7 + Math.floor(v) * 13 + 1_000) % 3;
    return 1 + side * (0.022 + 0.016 * tile);
  };
}

/** The glow of lit windows and lamps in the air around a subject. */
export function halo(canvas: Canvas, actor: Actor): void {
  const top = actor.kind === 'lighthouse' ? 0.82 : 0.4;
  dab(canvas, {
    x: actor.x,
    y: actor.y - actor.size * top,
    radius: actor.size * 0.42,
    colour: [1, 0.78, 0.42],
    strength: 0.26,
    edge: 0,
    light: true,
  });
}
