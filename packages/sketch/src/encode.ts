import sharp, { type Sharp } from 'sharp';
import type { Canvas } from './canvas.ts';
import { luminance } from './colour.ts';
import { hashNoise, smoothstep } from './noise.ts';
import type { SketchRequest } from './sketch.ts';

/** Longest side of a preview, in pixels. */
export const PREVIEW_SIDE = 256;
const MAX_PREVIEW_BYTES = 20_000;

/** Encodes a preview as WebP, in the best quality that fits into 20,000 bytes; undefined where none does. */
export async function encodePreview(preview: Sharp): Promise<Uint8Array | undefined> {
  for (const quality of [72, 50, 30, 10]) {
    const bytes = await preview.clone().webp({ quality }).toBuffer();
    if (bytes.length <= MAX_PREVIEW_BYTES) return bytes;
  }
  return undefined;
}

/** The colour of blank photographic paper. */
const PAPER = [0.955, 0.94, 0.91] as const;

/** The canvas with 8 bits per channel, dithered against banding. */
export function toPixels(canvas: Canvas): Buffer {
  const { data, width } = canvas;
  const pixels = Buffer.alloc(data.length);
  for (let index = 0; index < data.length; index++) {
    const spot = (index / 3) | 0;
    const noise = hashNoise(spot % width, (spot / width) | 0) - 0.5;
    pixels[index] = Math.min(255, Math.max(0, Math.round((data[index] ?? 0) * 255 + noise)));
  }
  return pixels;
}

async function trimmed({ bytes, left, top }: NonNullable<SketchRequest['kept']>, trim: number) {
  const picture = sharp(bytes);
  const { width, height } = await picture.metadata();
  const inside = { left: trim, top: trim, width: width - 2 * trim, height: height - 2 * trim };
  return { input: await picture.extract(inside).png().toBuffer(), left: left + trim, top: top + trim };
}

const raw = (canvas: Canvas) => ({
  raw: { width: canvas.width, height: canvas.height, channels: 3 as const },
});

/**
 * The finished picture as a PNG with what is kept of an earlier one, but for so many pixels at its sides; its
 * metadata say nothing of the prompt.
 */
export async function encodePng(
  canvas: Canvas,
  { seed, variation = 0, kept }: Pick<SketchRequest, 'seed' | 'variation' | 'kept'>,
  trim: number,
): Promise<Uint8Array> {
  const seeds = variation === 0 ? `seed ${seed}` : `seed ${seed}, variation ${variation}`;
  return sharp(toPixels(canvas), raw(canvas))
    .composite(kept ? [await trimmed(kept, trim)] : [])
    .withExif({ IFD0: { Software: 'Darkroom sketch engine', ImageDescription: seeds } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * A preview of an unfinished picture, which comes up on the paper as in a darkroom, shadows first: `density` 0 is
 * blank paper, 1 the whole picture. It has the final aspect ratio. Undefined where it cannot be encoded small enough.
 */
export async function renderPreview(
  canvas: Canvas,
  final: { width: number; height: number },
  density: number,
): Promise<Uint8Array | undefined> {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(final.width, final.height));
  const width = Math.max(1, Math.round(final.width * scale));
  const height = Math.max(1, Math.round(final.height * scale));
  const emerging: Canvas = { ...canvas, data: developed(canvas.data, density) };
  return encodePreview(
    sharp(toPixels(emerging), raw(canvas)).resize(width, height, { fit: 'fill', kernel: 'cubic' }),
  );
}

function developed(data: Float32Array, density: number): Float32Array {
  if (density >= 1) return data;
  const out = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const r = data[at] ?? 0;
    const g = data[at + 1] ?? 0;
    const b = data[at + 2] ?? 0;
    const share = smoothstep(0, 1, density * 1.7 - luminance(r, g, b) * 0.7);
    out[at] = PAPER[0] + (r - PAPER[0]) * share;
    out[at + 1] = PAPER[1] + (g - PAPER[1]) * share;
    out[at + 2] = PAPER[2] + (b - PAPER[2]) * share;
  }
  return out;
}
