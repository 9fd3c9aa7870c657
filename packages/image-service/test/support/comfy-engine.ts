import { randomUUID } from 'node:crypto';
import type { Graph } from '@darkroom/image-api';
import { redactCredentials } from '@darkroom/image-api';
import { captureLog, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { onTestFinished } from 'vitest';
import { type ComfyOptions, createComfyEngine } from '../../src/engines/comfyui/engine.ts';
import type { Drawing, DrawnPicture, DrawOptions, Progress } from '../../src/engines/engine.ts';
import { drawOptions } from './engines.ts';
import { createFakeComfy, type FakeComfy, type FakeComfyOptions } from './fake-comfyui.ts';

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
  variationOf: undefined,
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
interface Begun {
  drawing: Drawing;
  picture: Promise<DrawnPicture>;
  stop(reason: 'closing' | 'lost' | 'deadline'): void;
  progress: Progress[];
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
  const { log, lines } = captureLog(redactCredentials);
  const engine = createComfyEngine({
    servers: servers.map(({ url }) => url),
    clock: systemClock,
    log,
    pollMs: 10,
    silenceMs: 100,
    timeoutMs: WAIT_TIMEOUT_MS,
    ...options,
  });
  onTestFinished(() => engine.close());

  function begin(changes: Partial<Drawing> = {}, given: Partial<DrawOptions> = {}): Begun {
    const drawing = drawingOf(changes);
    const progress: Progress[] = [];
    const controller = new AbortController();
    const picture = engine.draw(
      drawing,
      drawOptions({ signal: controller.signal, onProgress: (report) => progress.push(report), ...given }),
    );
    // A test looks at how it ends; until then that is no loss.
    picture.catch(() => undefined);
    return { drawing, picture, progress, stop: (reason) => controller.abort(reason) };
  }

  return {
    engine,
    /** The first server. */
    comfy,
    lines,
    begin,
    draw: (changes?: Partial<Drawing>, given?: Partial<DrawOptions>) => begin(changes, given).picture,
  };
}
