import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { loadConfig } from '../../src/config.ts';
import { createPlayground, type Playground } from '../../src/playground/playground.ts';

export interface PlaygroundOptions {
  paceMs?: number;
  /** Environment variables; none unless given. */
  env?: NodeJS.ProcessEnv;
}

/** A playground on free ports, in a temporary folder that `close` removes. */
export async function openPlayground({ paceMs = 0, env = {} }: PlaygroundOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-playground-'));
  const start = (port: number): Promise<Playground> =>
    createPlayground({
      config: { ...loadConfig(env), PLAYGROUND_PORT: port, SERVICE_PORT: 0 },
      clock: systemClock,
      log: silentLog(),
      folder,
      paceMs,
    });
  let playground = await start(0);
  return {
    folder,
    url: playground.url,
    serviceUrl: playground.serviceUrl,
    discord: () => playground.discord,
    stop: () => playground.stop(),
    /** In the same folder, at the same address. */
    async restart(): Promise<void> {
      playground = await start(Number(new URL(playground.url).port));
    },
    async close(): Promise<void> {
      await playground.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
