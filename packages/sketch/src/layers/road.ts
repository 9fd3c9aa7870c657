import { css, lit, mix, rgb } from '../colour.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import type { Layer } from './layer.ts';

/** Whether a road leads through the picture: over land, where one was asked for, and in a street. */
export const hasRoad = ({ place, ground, water, elements }: Omit<Scene, 'notDrawn'>): boolean =>
  (place === 'street' || elements.has('road')) && ground !== 'none' && !water;

/** A road with a broken line in its middle, from the viewer's feet to where the land ends. */
export const road: Layer = async (canvas, scene) => {
  if (!hasRoad(scene)) return;
  const { aspect, horizon, palette, actors } = scene;
  const urban = scene.ground === 'paving';
  const end = horizon + (urban ? (1 - horizon) * 0.42 : 0.1);
  const foot = actors[0] ? (actors[0].x + aspect / 2) / 2 : aspect * 0.46;
  const far = aspect * 0.56;
  const asphalt = mix(lit(rgb([0.4, 0.015, 265]), palette.light), rgb(palette.haze), 0.12);
  const paint = css(lit(rgb([0.92, 0.03, 90]), palette.light));
  const wide = Math.min(aspect, 1) * (urban ? 0.42 : 0.3);
  /** A strip from `from` to `to` of the way to the end, with edges so many half widths from the middle. */
  const strip = (from: number, to: number, left: number, right: number) => {
    const point = (share: number, side: number) => {
      const near = (1 - share) ** 2;
      const x = far + (foot - far) * near + side * wide * (0.03 + 0.97 * near);
      return svg`${x * MILLI} ${(end + (1.02 - end) * near) * MILLI}`;
    };
    const shares = Array.from({ length: 9 }, (_, step) => from + ((to - from) * step) / 8);
    const edge = (side: number) => shares.map((share) => point(share, side));
    return `M${[...edge(left), ...edge(right).reverse()].join('L')}Z`;
  };
  // 0 at the lower border of the scene's frame, less where the picture goes on below it.
  const start = 1 - Math.sqrt(Math.max(1, (canvas.area.bottom - end) / (1 - end)));
  const first = Math.floor(start * 7);
  const dashes = Array.from({ length: 7 - first }, (_, index) => {
    const dash = first + index;
    return strip(dash / 7, (dash + 0.5) / 7, -0.03, 0.03);
  }).join('');
  await overlay(
    canvas,
    `<path d="${strip(start, 1, -1, 1)}" fill="${css(asphalt)}"/><path d="${dashes}${strip(start, 1, -0.95, -0.91)}${strip(start, 1, 0.91, 0.95)}" fill="${paint}"/>`,
  );
};
