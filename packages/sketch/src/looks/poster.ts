import Delaunator from 'delaunator';
import { type Canvas, cover, type Pixel, sample, shade } from '../canvas.ts';
import { css, luminance, mix, rgb } from '../colour.ts';
import type { Scene } from '../scene.ts';
import { composite, MILLI, rasterize, wholeArea } from '../vector.ts';
import { saturate } from './filters.ts';
import type { FilterContext, Look } from './look.ts';

/** A folded-paper poster: the view as flat triangles that follow its edges, the subjects whole, a border around. */
export const poster: Look = {
  sky: [facets],
  land: [saturate(1.15)],
  subjects: [],
  picture: [border],
};

/** Where triangles meet: evenly scattered by noise, and denser where the picture changes. */
function mesh(canvas: Canvas, { scene, steps }: FilterContext): number[] {
  const random = scene.streams('mesh');
  const rough = Math.round((110 + 8 * Math.min(30, steps)) * Math.sqrt(canvas.aspect));
  const points: number[] = [];
  const here: Pixel = { r: 0, g: 0, b: 0 };
  const level = (x: number, y: number) => {
    sample(canvas, x, y, here);
    return luminance(here.r, here.g, here.b);
  };
  const columns = Math.ceil(Math.sqrt(rough * canvas.aspect));
  const rows = Math.ceil(rough / columns);
  for (let row = -1; row <= rows; row++) {
    for (let column = -1; column <= columns; column++) {
      points.push(((column + random()) / columns) * canvas.aspect, (row + random()) / rows);
    }
  }
  const reach = 0.008;
  for (let attempt = 0; attempt < rough * 6; attempt++) {
    const x = random() * canvas.aspect;
    const y = random();
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
    const path = `M${(ax * MILLI).toFixed(1)} ${(ay * MILLI).toFixed(1)}L${(bx * MILLI).toFixed(1)} ${(by * MILLI).toFixed(1)}L${(cx * MILLI).toFixed(1)} ${(cy * MILLI).toFixed(1)}Z`;
    parts.push(`<path d="${path}" fill="${tone}" stroke="${tone}"/>`);
  }
  composite(
    canvas,
    await rasterize(
      canvas,
      `<g stroke-width="1.1" stroke-linejoin="round">${parts.join('')}</g>`,
      wholeArea(canvas),
    ),
  );
}

const SAMPLES = [
  [1 / 3, 1 / 3, 1 / 3],
  [0.6, 0.2, 0.2],
  [0.2, 0.6, 0.2],
  [0.2, 0.2, 0.6],
] as const;

function border(canvas: Canvas, { scene }: FilterContext): void {
  const paper = paperOf(scene);
  const wide = 0.028 * Math.min(1, canvas.aspect);
  const thin = 0.0035 * Math.min(1, canvas.aspect);
  shade(canvas, (x, y, pixel) => {
    const inset = Math.min(x, canvas.aspect - x, y, 1 - y);
    const soft = 0.7 / canvas.height;
    const margin = Math.min(1, Math.max(0, (wide - inset) / soft + 0.5));
    const rule = Math.min(1, Math.max(0, (thin - Math.abs(inset - wide * 1.45)) / soft + 0.5));
    if (margin > 0 || rule > 0) cover(pixel, paper, Math.max(margin, rule * 0.85));
  });
}

const paperOf = (scene: Scene) => mix([0.97, 0.945, 0.9], rgb(scene.palette.horizon), 0.12);
