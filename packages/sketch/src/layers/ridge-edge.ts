import type { Area, Canvas } from '../canvas.ts';
import { hashNoise } from '../noise.ts';
import type { Scene } from '../scene.ts';
import type { Ridge } from './ridge-lines.ts';

/** Heights of a ridge's crest at 200 places from the left border of an area to its right one. */
export function crestSamples(ridge: Ridge, { left, right }: Area): number[] {
  return Array.from({ length: 200 }, (_, index) => ridge.crest(left + (index / 199) * (right - left)));
}

/** How much of a pixel the ridge covers, from four crests per column so that steep edges and treetops stay smooth. */
export function edge(
  canvas: Canvas,
  ridge: Ridge,
  scene: Scene,
): { crest: Float32Array; at(column: number, y: number): number } {
  const { width, unit, area } = canvas;
  const parts = 4;
  const fine = new Float32Array(width * parts);
  const crest = new Float32Array(width);
  for (let index = 0; index < fine.length; index++) {
    const x = area.left + (index + 0.5) / (unit * parts);
    const bare = ridge.crest(x);
    fine[index] = bare - treetops(x, ridge.fringe, scene.season === 'autumn' && scene.ground !== 'snow');
    if (index % parts === 0) crest[index / parts] = bare;
  }
  return {
    crest,
    at(column, y) {
      let sum = 0;
      for (let part = 0; part < parts; part++) {
        sum += Math.min(1, Math.max(0, (y - (fine[column * parts + part] ?? 0)) * unit + 0.5));
      }
      return sum / parts;
    },
  };
}

/** Heights of a row of small trees: firs with notched sides, or round crowns. */
function treetops(x: number, tall: number, round: boolean): number {
  if (tall === 0) return 0;
  const cell = tall * 0.42;
  let highest = 0;
  for (let shift = -1; shift <= 1; shift++) {
    const index = Math.floor(x / cell) + shift;
    const size = tall * (0.45 + 0.75 * hashNoise(index, Math.round(tall * 9999)));
    const centre = (index + 0.25 + 0.5 * hashNoise(index, 7)) * cell;
    const away = Math.abs(x - centre) / (cell * (round ? 0.72 : 0.62));
    if (away >= 1) continue;
    const shape = round ? Math.sqrt(1 - away * away) * 0.7 : 1 - away - 0.1 * ((away * 4) % 1);
    highest = Math.max(highest, size * shape);
  }
  return highest;
}
