import { luminance, type Rgb } from './colour.ts';

/**
 * The picture while it is worked on. Positions are in heights of the scene's own frame, in which x runs from 0 to the
 * scene's `aspect`, y from 0 (top) to 1. `data` holds red, green, blue per pixel as sRGB encodes them; more than 1 is
 * light that a bloom may spread.
 */
export interface Canvas {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** What it shows: the scene's own frame, or more than that where the picture goes on beyond it. */
  readonly area: Area;
  /** Pixels of one height of the scene's frame. */
  readonly unit: number;
  readonly data: Float32Array;
  /** Throws once the drawing is aborted. */
  check(): void;
}

export interface Pixel {
  r: number;
  g: number;
  b: number;
}

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const ROWS_BETWEEN_CHECKS = 32;
/** Tolerance of the conversion from fractions of the height to whole pixels. */
const EPSILON = 1e-6;

/** A black canvas, of the scene's own frame unless an area is given. `check` throws once the drawing is aborted. */
export function createCanvas(
  width: number,
  height: number,
  check: () => void,
  area: Area = { left: 0, top: 0, right: width / height, bottom: 1 },
): Canvas {
  const unit = height / (area.bottom - area.top);
  return { width, height, area, unit, data: new Float32Array(width * height * 3), check };
}

export function cloneCanvas(canvas: Canvas): Canvas {
  return { ...canvas, data: canvas.data.slice() };
}

/** Runs `paint` for the centre of each pixel of `area`; it changes `pixel`, which holds what was there. */
export function shade(
  canvas: Canvas,
  paint: (x: number, y: number, pixel: Pixel) => void,
  area: Area = canvas.area,
): void {
  const { width, height, unit, data } = canvas;
  const { left: startX, top: startY } = canvas.area;
  const left = Math.max(0, Math.floor((area.left - startX) * unit + EPSILON));
  const right = Math.min(width, Math.ceil((area.right - startX) * unit - EPSILON));
  const top = Math.max(0, Math.floor((area.top - startY) * unit + EPSILON));
  const bottom = Math.min(height, Math.ceil((area.bottom - startY) * unit - EPSILON));
  const pixel: Pixel = { r: 0, g: 0, b: 0 };
  for (let row = top; row < bottom; row++) {
    if (row % ROWS_BETWEEN_CHECKS === 0) canvas.check();
    const y = startY + (row + 0.5) / unit;
    for (let column = left; column < right; column++) {
      const at = (row * width + column) * 3;
      pixel.r = data[at] ?? 0;
      pixel.g = data[at + 1] ?? 0;
      pixel.b = data[at + 2] ?? 0;
      paint(startX + (column + 0.5) / unit, y, pixel);
      data[at] = pixel.r;
      data[at + 1] = pixel.g;
      data[at + 2] = pixel.b;
    }
  }
}

/** The column of pixels that holds `x`; it may lie outside. */
export const columnOf = ({ unit, area }: Canvas, x: number): number => Math.floor((x - area.left) * unit);

/** The x of the middle of a column of pixels. */
export const middleOf = ({ unit, area }: Canvas, column: number): number => area.left + (column + 0.5) / unit;

/** Samples the canvas at a position, bilinearly; beyond the border, the border's colour continues. */
export function sample(canvas: Canvas, x: number, y: number, into: Pixel): void {
  const { width, height, unit, area, data } = canvas;
  const column = Math.min(width - 1, Math.max(0, (x - area.left) * unit - 0.5));
  const row = Math.min(height - 1, Math.max(0, (y - area.top) * unit - 0.5));
  const left = Math.floor(column);
  const top = Math.floor(row);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const tx = column - left;
  const ty = row - top;
  const a = (top * width + left) * 3;
  const b = (top * width + right) * 3;
  const c = (bottom * width + left) * 3;
  const d = (bottom * width + right) * 3;
  const wa = (1 - tx) * (1 - ty);
  const wb = tx * (1 - ty);
  const wc = (1 - tx) * ty;
  const wd = tx * ty;
  into.r = (data[a] ?? 0) * wa + (data[b] ?? 0) * wb + (data[c] ?? 0) * wc + (data[d] ?? 0) * wd;
  into.g =
    (data[a + 1] ?? 0) * wa + (data[b + 1] ?? 0) * wb + (data[c + 1] ?? 0) * wc + (data[d + 1] ?? 0) * wd;
  into.b =
    (data[a + 2] ?? 0) * wa + (data[b + 2] ?? 0) * wb + (data[c + 2] ?? 0) * wc + (data[d + 2] ?? 0) * wd;
}

/** How bright a picture is at a position, 0 to 1. */
export function luminanceOf(canvas: Canvas): (x: number, y: number) => number {
  const here: Pixel = { r: 0, g: 0, b: 0 };
  return (x, y) => {
    sample(canvas, x, y, here);
    return luminance(here.r, here.g, here.b);
  };
}

/** Gives a pixel a colour, whatever it had. */
export function setPixel(pixel: Pixel, colour: Rgb): void {
  pixel.r = colour[0];
  pixel.g = colour[1];
  pixel.b = colour[2];
}

/** Alpha-blends a colour over the pixel; `share` is the alpha. */
export function cover(pixel: Pixel, colour: Rgb, share: number): void {
  pixel.r += (colour[0] - pixel.r) * share;
  pixel.g += (colour[1] - pixel.g) * share;
  pixel.b += (colour[2] - pixel.b) * share;
}

/** Adds light as in a second exposure (screen blend): bright pixels take less of it. */
export function illuminate(pixel: Pixel, colour: Rgb, share: number): void {
  pixel.r += (1 - Math.min(1, pixel.r)) * colour[0] * share;
  pixel.g += (1 - Math.min(1, pixel.g)) * colour[1] * share;
  pixel.b += (1 - Math.min(1, pixel.b)) * colour[2] * share;
}

/** A round mark: `edge` 0 is as soft as can be, 1 is a disc. */
export function dab(
  canvas: Canvas,
  mark: {
    x: number;
    y: number;
    radius: number;
    colour: Rgb;
    strength: number;
    edge: number;
    light?: boolean;
  },
): void {
  const { x, y, radius, colour, strength, light } = mark;
  const soft = Math.max(1 - mark.edge, 1 / (radius * canvas.unit + 0.5));
  const apply = light ? illuminate : cover;
  const reach = radius + 1 / canvas.unit;
  shade(
    canvas,
    (px, py, pixel) => {
      const distance = Math.hypot(px - x, py - y) / radius;
      const inside = Math.min(1, Math.max(0, (1 - distance) / soft + (mark.edge > 0.99 ? 0.5 : 0)));
      if (inside > 0) apply(pixel, colour, strength * inside * inside * (3 - 2 * inside));
    },
    { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach },
  );
}
