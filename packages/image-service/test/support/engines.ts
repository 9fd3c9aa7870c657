import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import {
  ALL_ABILITIES,
  type Drawing,
  DrawingError,
  type DrawnPicture,
  type Engine,
  type InputPicture,
  type Operations,
} from '../../src/engines/engine.ts';

/** A valid PNG of one colour in the size that was asked for. */
export async function paint({ width, height }: Pick<Drawing, 'width' | 'height'>): Promise<DrawnPicture> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#7a4a2b' } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { bytes, width, height };
}

/** A PNG of noise, which compresses badly: three bytes for each pixel. */
export async function paintNoise({
  width,
  height,
}: Pick<Drawing, 'width' | 'height'>): Promise<DrawnPicture> {
  const bytes = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { bytes, width, height };
}

const named = (name: string, draw: Engine['draw']): Engine => ({
  name,
  abilities: () => ALL_ABILITIES,
  draw,
  close: async () => {},
});

/** Paints at once. */
export const instantEngine = (): Engine =>
  named('instant', (drawing, { onProgress }) => {
    onProgress({ percent: 50 });
    return paint(drawing);
  });

/** Paints noise at once. */
export const noiseEngine = (): Engine => named('noise', (drawing) => paintNoise(drawing));

/** Everything that can be made of pictures. */
export const ALL_OPERATIONS: Operations = {
  edit: { images: 4, mask: true, strength: true },
  upscale: {},
  expand: {},
  remove_background: {},
};

/** The pictures that a drawing begins with, and then its mask. */
export function inputsOf({ source }: Drawing): InputPicture[] {
  if (!source) return [];
  return source.operation === 'edit'
    ? [...source.images, ...(source.mask ? [source.mask] : [])]
    : [source.image];
}

interface EditingEngine extends Engine {
  /** What it was asked for, with the pictures that it began with as it read them: those first, then the mask. */
  readonly drawn: readonly { drawing: Drawing; inputs: readonly Uint8Array[] }[];
}

/**
 * Makes something of pictures, all that there is unless told, and paints at once in the size of the result, in one
 * colour unless told.
 */
export function editingEngine(operations = ALL_OPERATIONS, painted = paint): EditingEngine {
  const drawn: { drawing: Drawing; inputs: Uint8Array[] }[] = [];
  return {
    ...named('editing', async (drawing, { readInput }) => {
      const inputs: Uint8Array[] = [];
      for (const picture of inputsOf(drawing)) inputs.push(await readInput(picture));
      drawn.push({ drawing, inputs });
      return painted(drawing);
    }),
    operations: async () => operations,
    drawn,
  };
}

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
export interface ControlledDrawing {
  /** What the service asked the engine for. */
  requested: Drawing;
  signal: AbortSignal;
  progress(percent: number, preview?: Uint8Array): void;
  /** With a picture of one colour, unless another is painted. */
  finish(painted?: typeof paint): Promise<void>;
  fail(error: unknown): void;
}

export interface ControlledEngine extends Engine {
  /** The next drawing that begins. */
  next(): Promise<ControlledDrawing>;
  /** Finishes every drawing that has begun. */
  finishAll(): Promise<void>;
  /** Every drawing so far, in the order in which they began. */
  readonly begun: readonly Drawing[];
}

/** Does only what a test tells it. */
export function controlledEngine(): ControlledEngine {
  const begun: Drawing[] = [];
  const all: ControlledDrawing[] = [];
  const queued: ControlledDrawing[] = [];
  const waiting: ((drawing: ControlledDrawing) => void)[] = [];
  return {
    ...named('controlled', (requested, { signal, onProgress }) => {
      begun.push(requested);
      return new Promise((resolve, reject) => {
        const drawing: ControlledDrawing = {
          requested,
          signal,
          progress: (percent, preview) => onProgress({ percent, ...(preview && { preview }) }),
          finish: async (painted = paint) => resolve(await painted(requested)),
          fail: reject,
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        all.push(drawing);
        const wanted = waiting.shift();
        if (wanted) wanted(drawing);
        else queued.push(drawing);
      });
    }),
    begun,
    async finishAll() {
      for (const drawing of all) await drawing.finish();
    },
    next() {
      const drawing = queued.shift();
      return drawing ? Promise.resolve(drawing) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
