import type { Graph } from '@darkroom/image-api';
import { redactCredentials } from '@darkroom/image-api';
import { captureLog, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { onTestFinished } from 'vitest';
import { type ComfyOptions, createComfyEngine } from '../../src/engines/comfyui/engine.ts';
import type { Drawing, DrawOptions } from '../../src/engines/engine.ts';
import { beginDrawing, drawingOf } from './drawings.ts';
import { createFakeComfy, type FakeComfy, type FakeComfyOptions } from './fake-comfyui.ts';

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

  const begin = (changes: Partial<Drawing> = {}, given?: Partial<DrawOptions>) =>
    beginDrawing(engine, drawingOf(changes), given);

  return {
    engine,
    /** The first server. */
    comfy,
    lines,
    begin,
    draw: (changes?: Partial<Drawing>, given?: Partial<DrawOptions>) => begin(changes, given).picture,
  };
}
