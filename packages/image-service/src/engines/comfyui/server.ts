import type { Log } from '@darkroom/process';
import { type Clock, createCache, DAY_MS, MINUTE_MS } from '@darkroom/time';
import { readAddress } from '../address.ts';
import { createServer } from '../servers/server.ts';
import { createComfyClient } from './client.ts';
import { featuresOf } from './features.ts';

/** How many cancelled prompts are remembered, of which one may never end. */
const MAX_CANCELLED = 1_000;
/** For so long a cancelled prompt may go on: a node that loads a model is not interrupted. */
const CANCEL_MS = 5 * MINUTE_MS;

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
  const cancelledAt = createCache<string, number>({ max: MAX_CANCELLED, ttlMs: DAY_MS, clock });
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
    /** This process has cancelled a prompt. */
    noteCancelled: (promptId: string): void => cancelledAt.set(promptId, clock.now()),
    /** Whether a prompt that is said to run was cancelled so long ago that nothing draws it any more. */
    isLeftOver: (promptId: string): boolean => {
      const at = cancelledAt.get(promptId);
      return at !== undefined && clock.now() - at >= CANCEL_MS;
    },
    /** Those of its version at the last health check. */
    get features() {
      return features;
    },
  };
}
