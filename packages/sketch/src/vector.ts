import sharp from 'sharp';
import { type Area, type Canvas, columnOf, cover, type Pixel, shade } from './canvas.ts';

/** Vector drawings are written in thousandths of the picture's height. */
export const MILLI = 1000;

/** A vector drawing turned into pixels, aligned with the canvas it was made for; `left`, `top`, sizes in pixels. */
export interface Raster {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha, 0 to 255, not premultiplied. */
  readonly data: Uint8Array;
}

/** Renders SVG elements over the part of the canvas that `area` names; undefined where that is outside. */
export async function rasterize(canvas: Canvas, elements: string, area: Area): Promise<Raster | undefined> {
  canvas.check();
  const { left: startX, top: startY } = canvas.area;
  const left = Math.max(0, Math.floor((area.left - startX) * canvas.unit));
  const top = Math.max(0, Math.floor((area.top - startY) * canvas.unit));
  const width = Math.min(canvas.width, Math.ceil((area.right - startX) * canvas.unit)) - left;
  const height = Math.min(canvas.height, Math.ceil((area.bottom - startY) * canvas.unit)) - top;
  if (width < 1 || height < 1 || elements === '') return undefined;
  const unit = MILLI / canvas.unit;
  const box = [startX * MILLI + left * unit, startY * MILLI + top * unit, width * unit, height * unit]
    .map((v) => v.toFixed(3))
    .join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${elements}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg), { unlimited: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { left, top, width: info.width, height: info.height, data };
}

/** Share of a film's pixel that is covered, 0 to 1; 0 outside. Column and row are the canvas's. */
export function opacityAt(layer: Raster, column: number, row: number): number {
  const x = column - layer.left;
  const y = row - layer.top;
  if (x < 0 || y < 0 || x >= layer.width || y >= layer.height) return 0;
  return (layer.data[(y * layer.width + x) * 4 + 3] ?? 0) / 255;
}

/** May change the colour of a drawing at a position before it is laid over the canvas. */
type Tint = (x: number, y: number, colour: [number, number, number], column: number, row: number) => void;

/** Lays SVG elements over the canvas, or over the part of it that `area` names. */
export async function overlay(
  canvas: Canvas,
  elements: string,
  { area = canvas.area, tint, strength }: { area?: Area; tint?: Tint; strength?: number } = {},
): Promise<void> {
  composite(canvas, await rasterize(canvas, elements, area), tint, strength);
}

export function composite(canvas: Canvas, layer: Raster | undefined, tint?: Tint, strength = 1): void {
  if (!layer) return;
  const colour: [number, number, number] = [0, 0, 0];
  const { unit, area } = canvas;
  shade(
    canvas,
    (x, y, pixel: Pixel) => {
      const column = columnOf(canvas, x);
      const row = Math.floor((y - area.top) * unit);
      const from = ((row - layer.top) * layer.width + column - layer.left) * 4;
      const opacity = layer.data[from + 3] ?? 0;
      if (opacity === 0) return;
      colour[0] = (layer.data[from] ?? 0) / 255;
      colour[1] = (layer.data[from + 1] ?? 0) / 255;
      colour[2] = (layer.data[from + 2] ?? 0) / 255;
      tint?.(x, y, colour, column, row);
      cover(pixel, colour, (opacity / 255) * strength);
    },
    {
      left: area.left + layer.left / unit,
      top: area.top + layer.top / unit,
      right: area.left + (layer.left + layer.width) / unit,
      bottom: area.top + (layer.top + layer.height) / unit,
    },
  );
}
