import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const WEIGHTS = '@upscalerjs/esrgan-slim';
/** What has to be installed for it: 290 MB, most of them the source maps of TensorFlow.js. */
const PACKAGES = [WEIGHTS, '@tensorflow/tfjs', '@tensorflow/tfjs-backend-wasm'] as const;
type Package = (typeof PACKAGES)[number];

const require = createRequire(import.meta.url);

/** Whether all of it is. */
export function isInstalled(): boolean {
  try {
    for (const name of PACKAGES) require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Pixels with red, green and blue, 0 to 255 each. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

export type Network = Awaited<ReturnType<typeof openNetwork>>;

/** What is used of TensorFlow.js. */
interface TensorFlow {
  env(): { set(flag: string, value: boolean): void };
  setBackend(name: 'wasm'): Promise<boolean>;
  loadLayersModel(handler: { load(): Promise<object> }): Promise<{ predict(input: Tensor): Tensor }>;
  tensor4d(values: Float32Array, shape: [number, number, number, number]): Tensor;
}
interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

/**
 * The side of the parts that a picture is enlarged in: they bound the memory, 0.3 GB, and the steps of the progress.
 */
const PART = 128;
/** How far beyond a part the network looks: with so many pixels around them, no seam is left between two parts. */
const AROUND = 12;

/**
 * ESRGAN with the weights that its package brings, on one core by WebAssembly: about 25 seconds for each million
 * pixels of the smaller picture. `upscaler`, which the weights are made for, draws with a browser or with native
 * TensorFlow only.
 */
export async function openNetwork(scale: 2 | 4) {
  const load = (name: Package): unknown => require(name);
  // Their own types come with packages that are not there; the weights have one version, and these are the calls it
  // was made for.
  const tensorflow = load('@tensorflow/tfjs') as TensorFlow;
  load('@tensorflow/tfjs-backend-wasm');
  tensorflow.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tensorflow.setBackend('wasm');
  const model = await tensorflow.loadLayersModel({ load: () => readWeights(scale) });

  async function enlargePart({ data, width, height }: Pixels): Promise<Float32Array> {
    const input = tensorflow.tensor4d(Float32Array.from(data), [1, height, width, 3]);
    const output = model.predict(input);
    try {
      return await output.data();
    } finally {
      input.dispose();
      output.dispose();
    }
  }

  return {
    /** The picture larger; `onPart` hears the share that is done, 0 to 1. */
    async enlarge(picture: Pixels, onPart: (share: number) => void): Promise<Pixels> {
      const { width, height } = picture;
      const large = { width: width * scale, height: height * scale };
      const data = new Uint8ClampedArray(large.width * large.height * 3);
      const parts = partsOf(picture);
      for (const [index, { left, top, right, bottom }] of parts.entries()) {
        const from = { left: Math.max(0, left - AROUND), top: Math.max(0, top - AROUND) };
        const to = { right: Math.min(width, right + AROUND), bottom: Math.min(height, bottom + AROUND) };
        const cut = cutOut(picture, { ...from, ...to });
        const drawn = await enlargePart(cut);
        for (let row = top * scale; row < bottom * scale; row++) {
          const start = ((row - from.top * scale) * cut.width * scale + (left - from.left) * scale) * 3;
          const line = drawn.subarray(start, start + (right - left) * scale * 3);
          data.set(line, (row * large.width + left * scale) * 3);
        }
        onPart((index + 1) / parts.length);
      }
      return { ...large, data: new Uint8Array(data.buffer) };
    },
  };
}

/** Cuts a picture into parts, row by row. */
function partsOf({ width, height }: Pixels): Part[] {
  const parts: Part[] = [];
  for (let top = 0; top < height; top += PART)
    for (let left = 0; left < width; left += PART)
      parts.push({ left, top, right: Math.min(width, left + PART), bottom: Math.min(height, top + PART) });
  return parts;
}

/** Pixels; without the right column and the bottom row. */
interface Part {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function cutOut({ data, width }: Pixels, { left, top, right, bottom }: Part): Pixels {
  const rows = Array.from({ length: bottom - top }, (_, row) =>
    data.subarray(((top + row) * width + left) * 3, ((top + row) * width + right) * 3),
  );
  return { data: Buffer.concat(rows), width: right - left, height: bottom - top };
}

/** The weights of a package, where it keeps them: what it exports is for `upscaler`. */
const manifest = z.object({
  format: z.string(),
  modelTopology: z.looseObject({}),
  weightsManifest: z.tuple([z.object({ paths: z.tuple([z.string()]), weights: z.array(z.looseObject({})) })]),
});

async function readWeights(scale: 2 | 4): Promise<object> {
  const main = require.resolve(WEIGHTS);
  const name = join(WEIGHTS);
  const folder = join(main.slice(0, main.lastIndexOf(name) + name.length), 'models', `x${scale}`);
  const { format, modelTopology, weightsManifest } = manifest.parse(
    JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')),
  );
  const [{ paths, weights }] = weightsManifest;
  const { buffer, byteOffset, byteLength } = await readFile(join(folder, paths[0]));
  const weightData = buffer.slice(byteOffset, byteOffset + byteLength);
  return { format, modelTopology, weightSpecs: weights, weightData };
}
