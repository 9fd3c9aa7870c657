import { redactCredentials } from '@darkroom/image-api';
import { captureLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import type { Drawing, DrawOptions } from '../../src/engines/engine.ts';
import type { ServerEngineOptions } from '../../src/engines/servers/server-engine.ts';
import { createWebuiEngine } from '../../src/engines/webui/engine.ts';
import { beginDrawing, drawingOf } from './drawings.ts';

/** An engine on these servers, whose waits pass at once. */
export function engineOn(servers: readonly { url: string }[], options: Partial<ServerEngineOptions> = {}) {
  const clock = createFakeClock({ jumps: true });
  const { log, lines } = captureLog(redactCredentials);
  const engine = createWebuiEngine({ servers: servers.map(({ url }) => url), clock, log, ...options });
  onTestFinished(engine.close);

  const begin = (changes: Partial<Drawing> = {}, given?: Partial<DrawOptions>) =>
    beginDrawing(engine, drawingOf(changes), given);
  return { engine, clock, lines, begin };
}
