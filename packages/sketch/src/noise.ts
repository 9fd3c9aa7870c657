import { createNoise2D } from 'simplex-noise';
import type { Random } from './random.ts';

/** A smooth field over the plane, about -1 to 1. */
export type Noise = (x: number, y: number) => number;

/** Octaves of simplex noise, each twice as fine and half as strong as the one before. */
export function fractalNoise(random: Random, octaves: number): Noise {
  return layered(createNoise2D(random), octaves);
}

/** Like `fractal`, folded into sharp crests: 0 in the valleys to 1 on the crests. */
export function ridgedNoise(random: Random, octaves: number): Noise {
  const noise = createNoise2D(random);
  return layered((x, y) => 1 - Math.abs(noise(x, y)), octaves);
}

function layered(noise: Noise, octaves: number): Noise {
  const whole = 2 - 2 ** (1 - octaves);
  return (x, y) => {
    let sum = 0;
    let strength = 1;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave++) {
      sum += strength * noise(x * scale + octave * 17.3, y * scale - octave * 9.1);
      strength /= 2;
      scale *= 2;
    }
    return sum / whole;
  };
}

/** 0 up to `low`, 1 from `high` on, smooth between them. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

/** What is left of a number above the next whole one below. */
export const fraction = (value: number): number => value - Math.floor(value);

/** One number in [0, 1) per pair of integers. */
export function hashNoise(x: number, y: number): number {
  let mixed = Math.imul(x | 0, 374_761_393) + Math.imul(y | 0, 668_265_263);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** More than a picture's own frame ever has: where it goes on far beyond that, a grid becomes coarser. */
const MOST_POINTS = 2048 ** 2;

/** A field computed on a grid of step `finest` and smoothed between its points: much cheaper where detail is coarse. */
export function gridded(
  field: Noise,
  area: { left: number; top: number; right: number; bottom: number },
  finest: number,
): Noise {
  const wide = area.right - area.left;
  const tall = area.bottom - area.top;
  const step = Math.max(finest, Math.sqrt(Math.max(0, wide * tall) / MOST_POINTS));
  const columns = Math.ceil(wide / step) + 2;
  const rows = Math.ceil(tall / step) + 2;
  const grid = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      grid[row * columns + column] = field(area.left + column * step, area.top + row * step);
    }
  }
  return (x, y) => {
    const column = Math.min(columns - 2, Math.max(0, (x - area.left) / step));
    const row = Math.min(rows - 2, Math.max(0, (y - area.top) / step));
    const left = Math.floor(column);
    const top = Math.floor(row);
    const tx = column - left;
    const ty = row - top;
    const at = top * columns + left;
    const upper = (grid[at] ?? 0) * (1 - tx) + (grid[at + 1] ?? 0) * tx;
    const lower = (grid[at + columns] ?? 0) * (1 - tx) + (grid[at + columns + 1] ?? 0) * tx;
    return upper * (1 - ty) + lower * ty;
  };
}
