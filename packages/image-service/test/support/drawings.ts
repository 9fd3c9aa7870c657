import { randomUUID } from 'node:crypto';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import type { Drawing, DrawOptions, Engine, Progress, StopReason } from '../../src/engines/engine.ts';

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

/** What a service gives an engine for one drawing, unless told. */
export const drawOptions = (changes: Partial<DrawOptions> = {}): DrawOptions => ({
  signal: AbortSignal.timeout(WAIT_TIMEOUT_MS),
  onProgress: () => undefined,
  cost: undefined,
  hold: () => () => undefined,
  onEnded: () => undefined,
  remembered: undefined,
  readInput: () => Promise.reject(new Error('this drawing begins with no picture')),
  remember: async () => undefined,
  spend: async () => async () => undefined,
  ...changes,
});

/** Has an engine begin a drawing, which the test looks at on its way, or stops. */
export function beginDrawing(engine: Engine, drawing: Drawing, given: Partial<DrawOptions> = {}) {
  const controller = new AbortController();
  const progress: Progress[] = [];
  const remembered: string[] = [];
  const picture = engine.draw(
    drawing,
    drawOptions({
      signal: controller.signal,
      onProgress: (report) => progress.push(report),
      remember: async (name) => void remembered.push(name),
      ...given,
    }),
  );
  // A test looks at how it ends; until then that is no loss.
  picture.catch(() => undefined);
  return { drawing, picture, progress, remembered, stop: (reason: StopReason) => controller.abort(reason) };
}
