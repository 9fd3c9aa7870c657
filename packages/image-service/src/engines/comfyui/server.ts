import { createCache, DAY_MS, HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { SERVICE_LIMITS } from '../../limits.ts';
import { readAddress } from '../address.ts';
import { createServer } from '../servers/server.ts';
import type { OpenServer } from '../servers/server-engine.ts';
import { createComfyClient } from './client.ts';
import { hasJobsApi } from './jobs-api.ts';

/** How many prompts are remembered, of which one may never end. */
const MAX_PROMPTS = 1_000;
/** For so long a cancelled prompt may go on: a node that loads a model is not interrupted. */
const CANCEL_MS = 5 * MINUTE_MS;
/** For so long a prompt of ours may run, whichever process has submitted it, and go on when it is cancelled. */
const OURS_MS = SERVICE_LIMITS.taskMs + CANCEL_MS;
/** For so long one of others may run: they draw films there. */
const FOREIGN_MS = HOUR_MS;

export type ComfyServer = ReturnType<typeof createComfyServer>;

export function createComfyServer({ url, clock, log, timeoutMs }: OpenServer) {
  const address = readAddress(url);
  const client = createComfyClient({ address, ...(timeoutMs !== undefined && { timeoutMs }) });
  let hasJobs = false;
  /** When a prompt that runs, or was cancelled, is done at the latest. */
  const doneBy = createCache<string, number>({ max: MAX_PROMPTS, ttlMs: DAY_MS, clock });
  const server = createServer({
    name: address.name,
    kind: 'ComfyUI',
    calls: {
      ...client,
      async check() {
        const { comfyui_version } = (await client.systemStats()).system;
        hasJobs = hasJobsApi(comfyui_version);
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
    /** This process submits a prompt, be it anew, under the id of one that was cancelled or has run long. */
    noteSubmitted: (promptId: string): void => doneBy.delete(promptId),
    /** This process has cancelled a prompt. */
    noteCancelled: (promptId: string): void => doneBy.set(promptId, clock.now() + CANCEL_MS),
    /**
     * Whether nothing draws a prompt any more that is said to run: it was cancelled long ago, or was said to run long
     * ago. Of one that is not ours this is a guess.
     */
    isLeftOver: (promptId: string, isForeign: boolean): boolean => {
      const at = doneBy.get(promptId) ?? clock.now() + (isForeign ? FOREIGN_MS : OURS_MS);
      doneBy.set(promptId, at);
      return clock.now() >= at;
    },
    /** Whether its version has the jobs API, as of the last health check. */
    get hasJobs() {
      return hasJobs;
    },
  };
}
