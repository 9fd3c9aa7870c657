import { redactCredentials } from '@darkroom/image-api';
import { captureLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import type { Drawing, DrawOptions, Progress } from '../../src/engines/engine.ts';
import { createHostedEngine, type HostedOptions } from '../../src/engines/hosted/engine.ts';
import { drawingOf } from './comfy-engine.ts';
import { drawOptions } from './engines.ts';

/** An engine on a provider, whose waits of seconds pass in milliseconds. Closes with the test. */
export async function hostedEngine(options: Omit<HostedOptions, 'clock' | 'log'> & Partial<HostedOptions>) {
  const fast = createFastClock({ factor: 500 });
  const waits: number[] = [];
  const clock: typeof fast = {
    ...fast,
    sleep(ms, signal) {
      waits.push(ms);
      return fast.sleep(ms, signal);
    },
  };
  const { log, lines } = captureLog(redactCredentials);
  const engine = await createHostedEngine({ clock, log, ...options });
  onTestFinished(engine.close);

  function begin(changes: Partial<Drawing> = {}, given: Partial<DrawOptions> = {}) {
    const controller = new AbortController();
    const progress: Progress[] = [];
    const remembered: string[] = [];
    const picture = engine.draw(
      drawingOf({ width: 1024, height: 1024, ...changes }),
      drawOptions({
        signal: controller.signal,
        onProgress: (report) => progress.push(report),
        remember: async (name) => void remembered.push(name),
        ...given,
      }),
    );
    picture.catch(() => undefined);
    return { picture, progress, remembered, stop: (reason: string) => controller.abort(reason) };
  }
  const health = () => engine.servers?.[0]?.isHealthy(AbortSignal.timeout(5_000));
  return { engine, clock, waits, lines, begin, health };
}
