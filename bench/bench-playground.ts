import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { loadConfig } from '../src/config.ts';
import { createPlayground } from '../src/playground/playground.ts';

/** A playground in this process and in a folder of its own, whose sketches take as long as they take. */
export async function startBenchPlayground() {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const pictures = join(folder, 'pictures');
  await mkdir(pictures);
  const playground = await createPlayground({
    config: loadConfig({ PLAYGROUND_PORT: '0', SERVICE_PORT: '0' }),
    clock: systemClock,
    log: silentLog(),
    folder,
    paceMs: 0,
  });
  return {
    discord: playground.discord,
    /** The folder of the pictures that the service has made. */
    pictures,
    async stop(): Promise<void> {
      await playground.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
