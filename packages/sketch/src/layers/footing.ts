import { type Canvas, columnOf, cover, shade } from '../canvas.ts';
import { mix, type Rgb, rgb } from '../colour.ts';
import { HABITATS } from '../habitat.ts';
import type { Actor, Scene } from '../scene.ts';
import { opacityAt, type Raster } from '../vector.ts';

/** Whether a subject lies in the water's surface, rather than under it. */
export function floats(scene: Scene, actor: Actor): boolean {
  return HABITATS[actor.kind].footing === 'water' && scene.water && scene.place !== 'underwater';
}

/** The shadow that lies around a subject's foot, away from the light. */
export function shadow(canvas: Canvas, scene: Scene, actor: Actor): void {
  if (scene.framing === 'portrait') return;
  const wide = actor.size * (HABITATS[actor.kind].far ? 0.55 : 0.46);
  const flat = Math.min(0.04, actor.size * 0.055);
  const away = ((actor.x - (scene.light?.x ?? actor.x)) / scene.aspect) * wide;
  const dark: Rgb = mix(rgb(scene.palette.zenith), rgb(scene.palette.land), 0.6);
  const x = actor.x + away * 0.6;
  const y = actor.y - actor.size * 0.012;
  shade(
    canvas,
    (px, py, pixel) => {
      const distance = Math.hypot((px - x) / wide, (py - y) / flat);
      if (distance < 1) cover(pixel, dark, 0.5 * (1 - distance * distance) ** 1.5);
    },
    { left: x - wide, right: x + wide, top: y - flat, bottom: y + flat },
  );
}

/** The subject upside down in the water below it, drawn out of its own film. */
export function reflection(canvas: Canvas, scene: Scene, actor: Actor, body: Raster): void {
  const foot = Math.round((actor.y - canvas.area.top) * canvas.unit);
  const dim = mix(rgb(scene.palette.zenith), rgb(scene.palette.land), 0.3);
  shade(
    canvas,
    (x, y, pixel) => {
      const down = y - actor.y;
      const sway = Math.sin(down * 210 + Math.sin(down * 57) * 2) * (0.004 + down * 0.03);
      const column = columnOf(canvas, x + sway);
      const row = foot - Math.round(down * canvas.unit * 1.15);
      const opacity = opacityAt(body, column, row);
      if (opacity === 0) return;
      const from = ((row - body.top) * body.width + column - body.left) * 4;
      const colour: Rgb = [
        (body.data[from] ?? 0) / 255,
        (body.data[from + 1] ?? 0) / 255,
        (body.data[from + 2] ?? 0) / 255,
      ];
      cover(pixel, mix(colour, dim, 0.5), opacity * 0.55 * Math.max(0, 1 - down / (actor.size * 0.8)));
    },
    {
      left: actor.x - actor.size * 1.2,
      right: actor.x + actor.size * 1.2,
      top: actor.y,
      bottom: actor.y + actor.size * 0.8,
    },
  );
}

/** A light seam where a hull or a back meets the water. */
export function waterline(canvas: Canvas, scene: Scene, actor: Actor): void {
  const foam = mix(rgb(scene.palette.horizon), [1, 1, 1], 0.4);
  const wide = actor.size * 0.62;
  const flat = actor.size * 0.028;
  shade(
    canvas,
    (x, y, pixel) => {
      const u = (x - actor.x) / wide;
      const v = (y - actor.y + flat * 0.4) / flat + Math.sin(x * 130) * 0.25;
      const distance = Math.hypot(u, v);
      if (distance < 1) cover(pixel, foam, 0.55 * (1 - distance));
    },
    { left: actor.x - wide, right: actor.x + wide, top: actor.y - flat * 2, bottom: actor.y + flat * 2 },
  );
}
