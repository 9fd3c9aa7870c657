import Delaunator from 'delaunator';
import { type Area, type Canvas, cover, luminanceOf, type Pixel, sample, shade } from '../canvas.ts';
import { css, mix, rgb } from '../colour.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { saturate } from './filters.ts';
import type { FilterContext, Look } from './look.ts';

/** A folded-paper poster: the view as flat triangles that follow its edges, the subjects whole, a border around. */
export const poster: Look = {
  sky: [facets],
  land: [saturate(1.15)],
  subjects: [],
  picture: [drawBorder],
  border(scene) {
    const { wide, thin } = borderOf(scene);
    return wide * RULE + thin;
  },
};

/** Where triangles meet: in the scene's frame always the same ones, and more beyond it. */
function mesh(canvas: Canvas, { scene, steps }: FilterContext): number[] {
  const { area } = canvas;
  const points = meshOver(
    { left: 0, top: 0, right: scene.aspect, bottom: 1 },
    canvas,
    scene.streams('mesh'),
    steps,
  );
  if (area.left >= 0 && area.top >= 0 && area.right <= scene.aspect && area.bottom <= 1) return points;
  const more = meshOver(area, canvas, scene.streams('mesh beyond'), steps);
  for (let at = 0; at < more.length; at += 2) {
    const x = more[at] ?? 0;
    const y = more[at + 1] ?? 0;
    if (x < 0 || x > scene.aspect || y < 0 || y > 1) points.push(x, y);
  }
  return points;
}

/** Points evenly scattered by noise, and denser where the picture changes. */
function meshOver(area: Area, canvas: Canvas, random: Random, steps: number): number[] {
  const wide = area.right - area.left;
  const tall = area.bottom - area.top;
  const pixels = wide * tall * canvas.unit ** 2;
  const rough = Math.round(
    Math.min(pixels / 4, (110 + 8 * Math.min(30, steps)) * Math.sqrt(wide / tall) * tall * tall),
  );
  const points: number[] = [];
  const level = luminanceOf(canvas);
  const columns = Math.ceil(Math.sqrt((rough * wide) / tall));
  const rows = Math.ceil(rough / columns);
  for (let row = -1; row <= rows; row++) {
    for (let column = -1; column <= columns; column++) {
      points.push(
        area.left + ((column + random()) / columns) * wide,
        area.top + ((row + random()) / rows) * tall,
      );
    }
  }
  const reach = 0.008;
  for (let attempt = 0; attempt < rough * 6; attempt++) {
    const x = area.left + random() * wide;
    const y = area.top + random() * tall;
    const change =
      Math.abs(level(x + reach, y) - level(x - reach, y)) +
      Math.abs(level(x, y + reach) - level(x, y - reach));
    if (random() < change * 2 - 0.12) points.push(x, y);
  }
  return points.map((value) => Math.round(value * 4096) / 4096);
}

async function facets(canvas: Canvas, context: FilterContext): Promise<void> {
  const points = mesh(canvas, context);
  const { triangles } = new Delaunator(points);
  const colour: Pixel = { r: 0, g: 0, b: 0 };
  const parts: string[] = [];
  const at = (index: number): [number, number] => [points[index * 2] ?? 0, points[index * 2 + 1] ?? 0];
  for (let corner = 0; corner < triangles.length; corner += 3) {
    const [ax, ay] = at(triangles[corner] ?? 0);
    const [bx, by] = at(triangles[corner + 1] ?? 0);
    const [cx, cy] = at(triangles[corner + 2] ?? 0);
    let r = 0;
    let g = 0;
    let b = 0;
    for (const [wa, wb, wc] of SAMPLES) {
      sample(canvas, ax * wa + bx * wb + cx * wc, ay * wa + by * wb + cy * wc, colour);
      r += colour.r / SAMPLES.length;
      g += colour.g / SAMPLES.length;
      b += colour.b / SAMPLES.length;
    }
    const slope = Math.sin(Math.atan2(by - ay, bx - ax) * 2 + (cx - ax) * 40) * 0.032;
    const tone = css([r * (1 + slope), g * (1 + slope), b * (1 + slope)]);
    const path = svg`M${ax * MILLI} ${ay * MILLI}L${bx * MILLI} ${by * MILLI}L${cx * MILLI} ${cy * MILLI}Z`;
    parts.push(`<path d="${path}" fill="${tone}" stroke="${tone}"/>`);
  }
  await overlay(canvas, `<g stroke-width="1.1" stroke-linejoin="round">${parts.join('')}</g>`);
}

const SAMPLES = [
  [1 / 3, 1 / 3, 1 / 3],
  [0.6, 0.2, 0.2],
  [0.2, 0.6, 0.2],
  [0.2, 0.2, 0.6],
] as const;

function drawBorder(canvas: Canvas, { scene }: FilterContext): void {
  const paper = paperOf(scene);
  const { left, top, right, bottom } = canvas.area;
  const { wide, thin } = borderOf(scene);
  shade(canvas, (x, y, pixel) => {
    const inset = Math.min(x - left, right - x, y - top, bottom - y);
    const soft = 0.7 / canvas.unit;
    const margin = Math.min(1, Math.max(0, (wide - inset) / soft + 0.5));
    const rule = Math.min(1, Math.max(0, (thin - Math.abs(inset - wide * RULE)) / soft + 0.5));
    if (margin > 0 || rule > 0) cover(pixel, paper, Math.max(margin, rule * 0.85));
  });
}

/** Where the rule runs, in widths of the border. */
const RULE = 1.45;

/** How wide the border and its rule are, in picture heights. */
const borderOf = ({ aspect }: Scene) => ({
  wide: 0.028 * Math.min(1, aspect),
  thin: 0.0035 * Math.min(1, aspect),
});

const paperOf = (scene: Scene) => mix([0.97, 0.945, 0.9], rgb(scene.palette.horizon), 0.12);
