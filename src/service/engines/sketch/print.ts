import sharp from 'sharp';
import { encodePreview, PREVIEW_SIDE } from '../preview.ts';
import type { Canvas } from './canvas.ts';
import { luminance } from './colour.ts';
import { scatter, smoothstep } from './noise.ts';

/** Baryta paper before anything has come up on it. */
const PAPER = [0.955, 0.94, 0.91] as const;

/** The canvas in 8 bit per channel, dithered so that even the calmest sky shows no bands. */
export function pixelsOf(canvas: Canvas): Buffer {
  const { data, width } = canvas;
  const pixels = Buffer.alloc(data.length);
  for (let index = 0; index < data.length; index++) {
    const spot = (index / 3) | 0;
    const noise = scatter(spot % width, (spot / width) | 0) - 0.5;
    pixels[index] = Math.min(255, Math.max(0, Math.round((data[index] ?? 0) * 255 + noise)));
  }
  return pixels;
}

const raw = (canvas: Canvas) => ({
  raw: { width: canvas.width, height: canvas.height, channels: 3 as const },
});

/** The finished picture. It carries no word of the prompt. */
export async function png(canvas: Canvas, seed: number): Promise<Uint8Array> {
  return sharp(pixelsOf(canvas), raw(canvas))
    .withExif({ IFD0: { Software: 'Darkroom sketch engine', ImageDescription: `seed ${seed}` } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/**
 * What is there so far, small and in the picture's final shape; undefined where it cannot be made small enough.
 * `density` 0 to 1 is how far it has come up on the paper: the shadows first.
 */
export async function preview(
  canvas: Canvas,
  final: { width: number; height: number },
  density: number,
): Promise<Uint8Array | undefined> {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(final.width, final.height));
  const width = Math.max(1, Math.round(final.width * scale));
  const height = Math.max(1, Math.round(final.height * scale));
  const developed: Canvas = { ...canvas, data: emerging(canvas.data, density) };
  return encodePreview(
    sharp(pixelsOf(developed), raw(canvas)).resize(width, height, { fit: 'fill', kernel: 'cubic' }),
  );
}

function emerging(data: Float32Array, density: number): Float32Array {
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
