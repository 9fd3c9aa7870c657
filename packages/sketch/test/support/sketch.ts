import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Canvas } from '../../src/canvas.ts';
import { createScene } from '../../src/create-scene.ts';
import { toPixels } from '../../src/encode.ts';
import { createStreams } from '../../src/random.ts';
import { renderPasses } from '../../src/render-passes.ts';
import type { Scene } from '../../src/scene.ts';
import type { Sketch, SketchProgress, SketchRequest } from '../../src/sketch.ts';
import { createSketcher, type SketcherOptions } from '../../src/sketcher.ts';

export const sketchRequest = (wishes: Partial<SketchRequest> = {}): SketchRequest => ({
  prompt: 'a red fox in the snow',
  negativePrompt: '',
  workflow: 'default',
  width: 96,
  height: 96,
  steps: 12,
  seed: 7,
  cfg: 7,
  ...wishes,
});

/** The scene that a prompt leads to, in the default workflow's look. */
export function sceneOf(
  prompt: string,
  negativePrompt = '',
  seed = 1,
  style: Scene['style'] = 'painterly',
): Scene {
  return createScene({ prompt, negativePrompt }, { aspect: 1, style }, createStreams(`${prompt} ${seed}`));
}

/** A sketcher with the pictures that it was asked for; `close` ends its workers. */
export function openSketcher(options: SketcherOptions = {}) {
  const sketcher = createSketcher({ workers: 1, ...options });
  return {
    sketcher,
    async paint(wishes: Partial<SketchRequest> = {}, signal: AbortSignal = new AbortController().signal) {
      const progress: SketchProgress[] = [];
      const picture = await sketcher.paint(sketchRequest(wishes), {
        signal,
        onProgress: (seen) => progress.push(seen),
      });
      return { picture, progress };
    },
    close: () => sketcher.close(),
  };
}

/** The finished picture of an request as 8-bit RGB, drawn in this thread. */
export async function pixels(wishes: Partial<SketchRequest> = {}): Promise<Buffer> {
  let last: Canvas | undefined;
  for await (const { canvas } of renderPasses(sketchRequest(wishes), () => {})) last = canvas;
  if (!last) throw new Error('No pass was made.');
  return toPixels(last);
}

export async function decoded(picture: Sketch): Promise<Buffer> {
  return sharp(picture.bytes).raw().toBuffer();
}

/** Mean difference of two pictures of one size, 0 to 255. */
export function difference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length)
    throw new Error(`Pictures of ${one.length} and ${other.length} bytes cannot be compared.`);
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
  return sum / one.length;
}

export const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
