import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { readAddress } from '../address.ts';
import { createServer } from '../servers/server.ts';
import { createComfyClient } from './client.ts';
import { featuresOf } from './features.ts';

export type ComfyServer = ReturnType<typeof createComfyServer>;

export function createComfyServer({
  url,
  clock,
  log,
  timeoutMs,
}: {
  url: string;
  clock: Clock;
  log: Log;
  timeoutMs?: number | undefined;
}) {
  const address = readAddress(url);
  const client = createComfyClient({ address, ...(timeoutMs !== undefined && { timeoutMs }) });
  let features = featuresOf(undefined);
  const server = createServer({
    name: address.name,
    kind: 'ComfyUI',
    calls: {
      ...client,
      async check() {
        const { comfyui_version } = (await client.systemStats()).system;
        features = featuresOf(comfyui_version);
        return comfyui_version;
      },
    },
    mend: () => 'Check COMFYUI_URL',
    clock,
    log,
  });
  return {
    ...server,
    client,
    /** Those of its version at the last health check. */
    get features() {
      return features;
    },
  };
}
