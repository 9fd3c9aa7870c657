import { redactCredentials } from '@darkroom/image-api';
import { captureLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import type { Drawing, DrawOptions } from '../../src/engines/engine.ts';
import { createHostedEngine, type HostedOptions } from '../../src/engines/hosted/engine.ts';
import { beginDrawing, drawingOf } from './drawings.ts';

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

  const begin = (changes: Partial<Drawing> = {}, given?: Partial<DrawOptions>) =>
    beginDrawing(engine, drawingOf({ width: 1024, height: 1024, ...changes }), given);
  const health = () => engine.servers?.[0]?.isHealthy(AbortSignal.timeout(5_000));
  return { engine, clock, waits, lines, begin, health };
}
