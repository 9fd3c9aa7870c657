import { MINUTE_MS } from '@darkroom/time';
import { readAddress } from '../address.ts';
import { CallFailed } from '../call-failed.ts';
import { createServer } from '../servers/server.ts';
import type { OpenServer } from '../servers/server-engine.ts';
import { createWebuiClient } from './client.ts';
import type { Progress } from './responses.ts';

/**
 * What a server lets do beside drawing, as found by asking it: `jobs` are stable-diffusion.cpp's, `progress` is a
 * WebUI's, which can be interrupted too.
 */
type Program = 'jobs' | 'progress' | 'bare';

export type WebuiServer = ReturnType<typeof createWebuiServer>;

/** What there is of models, as folders. */
export const CHECKPOINTS = 'checkpoints';
export const UPSCALERS = 'upscalers';

/**
 * So long stands still what some go on telling of for ever: a failed enlargement until they draw again, and older ones
 * (AUTOMATIC1111/stable-diffusion-webui#13977) and Forge (lllyasviel/stable-diffusion-webui-forge#1814) also with
 * nothing to do. Where it is drawn after all, ours waits its turn there.
 */
const STANDSTILL_MS = 5 * MINUTE_MS;

const NAMES: Readonly<Record<Program, string>> = {
  jobs: 'stable-diffusion.cpp',
  progress: 'WebUI',
  bare: 'neither progress nor jobs',
};

export function createWebuiServer({ url, clock, log, timeoutMs }: OpenServer) {
  const address = readAddress(url);
  const client = createWebuiClient({ address, timeoutMs });
  let program: Program = 'progress';

  async function findProgram(): Promise<Program> {
    const capabilities = await client.capabilities();
    if (capabilities?.supported_modes.includes('img_gen')) return 'jobs';
    await client.checkpoints();
    return (await client.progress({ preview: false })) ? 'progress' : 'bare';
  }

  /** When the job began that has failed and is told of all the same. */
  let failedJob: string | undefined;
  /** What was told of last, and since when it has stood there. */
  let seen: { job: string | undefined; progress: number; since: number; isOver: boolean } | undefined;

  /** Takes note of what it tells, and says whether something is drawn there. */
  function observe({ state, progress }: Progress): boolean {
    const { job_count: count, job_timestamp: job } = state;
    if (count === 0 || (failedJob !== undefined && job === failedJob)) return false;
    if (seen?.job !== job || seen?.progress !== progress)
      seen = { job, progress, since: clock.now(), isOver: false };
    if (clock.now() - seen.since < STANDSTILL_MS) return true;
    if (!seen.isOver)
      log.warn({ server: address.name }, 'a WebUI tells of a picture that stands still; it counts as over');
    seen.isOver = true;
    return false;
  }

  const server = createServer({
    name: address.name,
    kind: 'Stable Diffusion',
    calls: {
      async check() {
        program = await findProgram();
        return NAMES[program];
      },
      async queueLength(signal) {
        if (program !== 'progress') return 0;
        const now = await client.progress({ preview: false }, signal);
        return now && observe(now) ? 1 : 0;
      },
      async models(folder) {
        if (folder === CHECKPOINTS) return client.checkpoints();
        // stable-diffusion.cpp lists some, for what it draws itself.
        return program === 'progress' ? client.upscalers() : [];
      },
      close: client.close,
    },
    mend,
    clock,
    log,
  });
  const speed: {
    /** Milliseconds that a step took for each pixel in the last drawing; undefined before there was one. */
    pace: number | undefined;
  } = { pace: undefined };
  return {
    ...server,
    ...speed,
    client,
    /**
     * To be called after a drawing has failed there: the job that is still told of counts as over. A WebUI tells of an
     * enlargement that has failed until it draws again, as `modules/postprocessing.py` ends its job in no `finally`.
     * Rejects with `CallFailed`.
     */
    async noteFailed(signal: AbortSignal): Promise<void> {
      failedJob = (await client.progress({ preview: false }, signal))?.state.job_timestamp;
    },
    /** That of the last health check; `progress` before there was one. */
    get program() {
      return program;
    },
  };
}

function mend(error: unknown): string {
  const status = error instanceof CallFailed ? error.status : undefined;
  if (status === 401 || status === 403)
    return 'Check user and password in SDWEBUI_URL (http://user:password@…)';
  return status === 404 ? 'Start the WebUI with --api' : 'Check SDWEBUI_URL';
}
