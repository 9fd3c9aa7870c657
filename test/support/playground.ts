import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { createPlayground, type Playground } from '../../src/playground/playground.ts';

export interface PlaygroundWorldOptions {
  paceMs?: number;
  /** What the environment says; nothing unless given. */
  env?: NodeJS.ProcessEnv;
}

/** A whole playground on free ports and in a folder of its own, which `close` removes. */
export async function openPlayground({ paceMs = 0, env = {} }: PlaygroundWorldOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-playground-'));
  const start = (port: number): Promise<Playground> =>
    createPlayground({
      config: { ...loadConfig(env), PLAYGROUND_PORT: port, SERVICE_PORT: 0 },
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      folder,
      paceMs,
    });
  let playground = await start(0);
  return {
    url: playground.url,
    serviceUrl: playground.serviceUrl,
    discord: () => playground.discord,
    stop: () => playground.stop(),
    /** The same folder, at the same address. */
    async startAgain(): Promise<void> {
      playground = await start(Number(new URL(playground.url).port));
    },
    async close(): Promise<void> {
      await playground.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
