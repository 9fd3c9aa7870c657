import sharp from 'sharp';
import { type Area, type Canvas, cover, type Pixel, shade } from './canvas.ts';

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
  const left = Math.max(0, Math.floor(area.left * canvas.height));
  const top = Math.max(0, Math.floor(area.top * canvas.height));
  const width = Math.min(canvas.width, Math.ceil(area.right * canvas.height)) - left;
  const height = Math.min(canvas.height, Math.ceil(area.bottom * canvas.height)) - top;
  if (width < 1 || height < 1 || elements === '') return undefined;
  const unit = MILLI / canvas.height;
  const box = [left * unit, top * unit, width * unit, height * unit].map((v) => v.toFixed(3)).join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${elements}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg), { unlimited: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { left, top, width: info.width, height: info.height, data };
}

/** The whole picture. */
export const wholeArea = (canvas: Canvas): Area => ({ left: 0, top: 0, right: canvas.aspect, bottom: 1 });

/** Share of a film's pixel that is covered, 0 to 1; 0 outside. Column and row are the canvas's. */
export function opacityAt(layer: Raster, column: number, row: number): number {
  const x = column - layer.left;
  const y = row - layer.top;
  if (x < 0 || y < 0 || x >= layer.width || y >= layer.height) return 0;
  return (layer.data[(y * layer.width + x) * 4 + 3] ?? 0) / 255;
}

/** Lays a rasterize over the canvas; `tint` may change its colour at a position before it is laid. */
export function composite(
  canvas: Canvas,
  layer: Raster | undefined,
  tint?: (x: number, y: number, colour: [number, number, number], column: number, row: number) => void,
  strength = 1,
): void {
  if (!layer) return;
  const colour: [number, number, number] = [0, 0, 0];
  const { height } = canvas;
  shade(
    canvas,
    (x, y, pixel: Pixel) => {
      const column = Math.floor(x * height);
      const row = Math.floor(y * height);
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
      left: layer.left / height,
      top: layer.top / height,
      right: (layer.left + layer.width) / height,
      bottom: (layer.top + layer.height) / height,
    },
  );
}
