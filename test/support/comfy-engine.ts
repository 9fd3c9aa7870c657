import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Graph } from '../../src/contract/graph.ts';
import { type ComfyOptions, createComfyEngine } from '../../src/service/engines/comfyui/engine.ts';
import type { Development, Drawing, Picture } from '../../src/service/engines/engine.ts';
import { createFakeComfy, type FakeComfy, type FakeComfyOptions } from './fake-comfyui.ts';
import { keptLog } from './kept-log.ts';
import { PATIENCE_MS } from './patience.ts';

/** A drawing of the default workflow, unless told. */
export const drawingOf = (changes: Partial<Drawing> = {}): Drawing => ({
  taskId: randomUUID(),
  workflow: 'default',
  prompt: 'a fox under a lantern',
  negativePrompt: 'blurry',
  width: 128,
  height: 96,
  steps: 4,
  seed: 7,
  cfg: 7,
  model: undefined,
  ...changes,
});

/** A picture of noise, without a model. */
export const noiseGraph = (seed = 7): Graph => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 128, height: 96, batch_size: 1, color: 8_421_504 } },
  '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed, strength: 0.5 } },
  '3': {
    class_type: 'SaveImage',
    inputs: { images: ['2', 0], filename_prefix: 'caller' },
    _meta: { title: 'Result' },
  },
});

/** A drawing on its way. */
export interface Begun {
  drawing: Drawing;
  picture: Promise<Picture>;
  stop(reason: 'closing' | 'lost' | 'deadline'): void;
  developments: Development[];
}

/** An engine on one fake ComfyUI, or on those given; everything closes with the test. */
export async function comfyWorld({
  fake: fakeOptions,
  fakes,
  ...options
}: { fake?: FakeComfyOptions; fakes?: readonly FakeComfy[] } & Partial<ComfyOptions> = {}) {
  const servers = fakes ?? [await createFakeComfy(fakeOptions)];
  const [comfy] = servers;
  if (!comfy) throw new Error('a world needs a ComfyUI');
  const { log, lines } = keptLog();
  const engine = createComfyEngine({
    servers: servers.map(({ url }) => url),
    clock: systemClock,
    log,
    pollMs: 10,
    silenceMs: 100,
    timeoutMs: PATIENCE_MS,
    ...options,
  });
  onTestFinished(() => engine.close());

  function begin(changes: Partial<Drawing> = {}): Begun {
    const drawing = drawingOf(changes);
    const developments: Development[] = [];
    const controller = new AbortController();
    const picture = engine.draw(drawing, {
      signal: controller.signal,
      onDevelopment: (development) => developments.push(development),
    });
    // A test looks at how it ends; until then that is no loss.
    picture.catch(() => undefined);
    return { drawing, picture, developments, stop: (reason) => controller.abort(reason) };
  }

  return {
    engine,
    /** The first server. */
    comfy,
    lines,
    begin,
    draw: (changes?: Partial<Drawing>) => begin(changes).picture,
  };
}
