import { redactCredentials } from '@darkroom/image-api';
import { captureLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import type { Drawing, DrawOptions, Progress } from '../../src/engines/engine.ts';
import { createWebuiEngine, type WebuiOptions } from '../../src/engines/webui/engine.ts';
import { drawingOf } from './comfy-engine.ts';
import { drawOptions } from './engines.ts';

/** An engine on these servers, whose waits pass at once. */
export function engineOn(servers: readonly { url: string }[], options: Partial<WebuiOptions> = {}) {
  const clock = createFakeClock({ jumps: true });
  const { log, lines } = captureLog(redactCredentials);
  const engine = createWebuiEngine({ servers: servers.map(({ url }) => url), clock, log, ...options });
  onTestFinished(engine.close);

  function begin(changes: Partial<Drawing> = {}, given: Partial<DrawOptions> = {}) {
    const controller = new AbortController();
    const progress: Progress[] = [];
    const remembered: string[] = [];
    const drawn = engine.draw(
      drawingOf(changes),
      drawOptions({
        signal: controller.signal,
        onProgress: (report) => progress.push(report),
        remember: async (name) => void remembered.push(name),
        ...given,
      }),
    );
    drawn.catch(() => undefined);
    return { picture: drawn, progress, remembered, stop: (reason: string) => controller.abort(reason) };
  }
  return { engine, clock, lines, begin };
}
