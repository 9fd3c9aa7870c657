import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Development, Drawing, Picture } from '../../src/service/engines/engine.ts';
import { createSketchEngine, type SketchOptions } from '../../src/service/engines/sketch/engine.ts';
import type { Order } from '../../src/service/engines/sketch/order.ts';
import { passes } from '../../src/service/engines/sketch/passes.ts';
import { pixelsOf } from '../../src/service/engines/sketch/print.ts';
import { createStreams } from '../../src/service/engines/sketch/random.ts';
import { createScene, type Scene } from '../../src/service/engines/sketch/scene.ts';

export const aDrawing = (wishes: Partial<Drawing> = {}): Drawing => ({
  taskId: 'a-task',
  workflow: 'default',
  prompt: 'a red fox in the snow',
  negativePrompt: '',
  width: 128,
  height: 96,
  steps: 12,
  seed: 7,
  cfg: 7,
  model: undefined,
  ...wishes,
});

export const anOrder = (wishes: Partial<Order> = {}): Order => ({
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

/** The scene that a prompt leads to, as the default workflow sees it. */
export function sceneOf(prompt: string, negativePrompt = '', seed = 1): Scene {
  return createScene(
    { prompt, negativePrompt },
    { aspect: 1, style: 'painterly' },
    createStreams(`${prompt} ${seed}`),
  );
}

/** An engine with the drawings that were made on it; `close` ends its workers. */
export function openSketch(options: SketchOptions = {}) {
  const engine = createSketchEngine({ workers: 1, ...options });
  return {
    engine,
    async draw(wishes: Partial<Drawing> = {}, signal: AbortSignal = new AbortController().signal) {
      const developments: Development[] = [];
      const picture = await engine.draw(aDrawing(wishes), {
        signal,
        onDevelopment: (development) => developments.push(development),
      });
      return { picture, developments };
    },
    close: () => engine.close(),
  };
}

/** The finished picture of an order as 8-bit RGB, drawn in this thread. */
export async function pixels(wishes: Partial<Order> = {}): Promise<Buffer> {
  let last: Buffer | undefined;
  for await (const { canvas } of passes(anOrder(wishes), () => {})) last = pixelsOf(canvas);
  if (!last) throw new Error('No pass was made.');
  return last;
}

export async function decoded(picture: Picture): Promise<Buffer> {
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
