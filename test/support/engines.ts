import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { type Drawing, DrawingError, type Engine, type Picture } from '../../src/service/engines/engine.ts';

/** A valid PNG of one colour in the size that was asked for. */
export async function paint({ width, height }: Pick<Drawing, 'width' | 'height'>): Promise<Picture> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#7a4a2b' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { bytes, contentType: 'image/png', width, height };
}

/** A PNG of noise, which compresses badly: three bytes for each pixel. */
export async function paintNoise({ width, height }: Pick<Drawing, 'width' | 'height'>): Promise<Picture> {
  const bytes = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { bytes, contentType: 'image/png', width, height };
}

const named = (name: string, draw: Engine['draw']): Engine => ({ name, draw, close: async () => {} });

/** Paints at once. */
export const instantEngine = (): Engine =>
  named('instant', (drawing, { onDevelopment }) => {
    onDevelopment({ percent: 50 });
    return paint(drawing);
  });

/** Paints noise at once. */
export const noiseEngine = (): Engine => named('noise', (drawing) => paintNoise(drawing));

/** Fails each drawing: with words for its owner, or with `error` where one is given. */
export const failingEngine = (error: unknown = new DrawingError('the brush broke')): Engine =>
  named('failing', () => Promise.reject(error));

/** Never finishes, and rejects only when it is told to stop. */
export const endlessEngine = (): Engine =>
  named(
    'endless',
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  );

/** A drawing that a test takes forward by hand. */
export interface Easel {
  drawing: Drawing;
  signal: AbortSignal;
  develop(percent: number, preview?: Uint8Array): void;
  /** With a picture of one colour, unless another is painted. */
  finish(painted?: typeof paint): Promise<void>;
  fail(error: unknown): void;
}

export interface ControlledEngine extends Engine {
  /** The next drawing that begins. */
  next(): Promise<Easel>;
  /** Finishes every drawing that has begun. */
  finishAll(): Promise<void>;
  /** Every drawing so far, in the order in which they began. */
  readonly begun: readonly Drawing[];
}

/** Does only what a test tells it. */
export function controlledEngine(): ControlledEngine {
  const begun: Drawing[] = [];
  const all: Easel[] = [];
  const easels: Easel[] = [];
  const waiting: ((easel: Easel) => void)[] = [];
  return {
    ...named('controlled', (drawing, { signal, onDevelopment }) => {
      begun.push(drawing);
      return new Promise((resolve, reject) => {
        const easel: Easel = {
          drawing,
          signal,
          develop: (percent, preview) => onDevelopment({ percent, ...(preview && { preview }) }),
          finish: async (painted = paint) => resolve(await painted(drawing)),
          fail: reject,
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        all.push(easel);
        const wanted = waiting.shift();
        if (wanted) wanted(easel);
        else easels.push(easel);
      });
    }),
    begun,
    async finishAll() {
      for (const easel of all) await easel.finish();
    },
    next() {
      const easel = easels.shift();
      return easel ? Promise.resolve(easel) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
