import { MessageChannel } from 'node:worker_threads';
import { createThreads } from '@darkroom/process/threads';
import { createSemaphore, isTimeout, raceAbort, withTimeout } from '@darkroom/time';
import sharp from 'sharp';
import { DrawingError, type DrawnPicture, type Progress } from '../engine.ts';
import type { Size } from '../size.ts';
import { isInstalled } from './network.ts';
import type { enlarge } from './worker.ts';

/** Enlarges any picture on the CPU. */
export interface Upscaler {
  /** What is to be said of its pictures, in a sentence; undefined where they have new detail. */
  readonly shortcoming: string | undefined;
  enlarge(
    bytes: Uint8Array,
    scale: 2 | 4,
    options: { signal: AbortSignal; onProgress(progress: Progress): void },
  ): Promise<DrawnPicture>;
  close(): Promise<void>;
}

/** For one picture, once it is its turn: the largest takes 100 seconds of a core. */
const TIMEOUT_MS = 10 * 60_000;
/** Loading the network takes two seconds. */
const IDLE_MS = 60_000;

/** Workers run compiled code, as Node cannot load TypeScript: from the sources, that is in dist/. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/engines/upscaling/worker.js' : './worker.js',
  import.meta.url,
).href;

/**
 * By a network in a worker thread, one picture after the other, where its packages are installed; by Lanczos
 * elsewhere.
 */
export function createUpscaler({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): Upscaler {
  if (!isInstalled()) return WITHOUT_NETWORK;
  const threads = createThreads<{ enlarge: typeof enlarge }>({
    worker: WORKER,
    maxThreads: 1,
    idleMs: IDLE_MS,
  });
  const turns = createSemaphore(1);
  return {
    shortcoming: undefined,

    async enlarge(bytes, scale, { signal, onProgress }) {
      const size = await sizeOfResult(bytes, scale);
      const { port1: ours, port2: port } = new MessageChannel();
      ours.on('message', (share: number) => onProgress({ percent: Math.floor(99 * share) }));
      try {
        const work = (bounded: AbortSignal) => {
          const options = { transferList: [port], signal: bounded };
          return raceAbort(bounded, threads.run('enlarge', { bytes, scale, port }, options));
        };
        const png = await turns.hold(1, () => withTimeout(timeoutMs, work, { signal }), { signal });
        return { bytes: png, ...size };
      } catch (error) {
        signal.throwIfAborted();
        if (!isTimeout(error)) throw error;
        throw new DrawingError(
          'The picture was not enlarged in time. Choose a smaller one, or a scale of 2.',
          {
            cause: error,
          },
        );
      } finally {
        ours.close();
      }
    },

    close: threads.close,
  };
}

const WITHOUT_NETWORK: Upscaler = {
  shortcoming: 'the picture is made larger without new detail',

  async enlarge(bytes, scale) {
    const size = await sizeOfResult(bytes, scale);
    const large = sharp(bytes).resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' });
    return { bytes: await large.png({ compressionLevel: 6 }).toBuffer(), ...size };
  },

  close: async () => undefined,
};

/** `requireResult` has seen that it is not too large. */
async function sizeOfResult(bytes: Uint8Array, scale: 2 | 4): Promise<Size> {
  const { width, height } = await sharp(bytes).metadata();
  return { width: width * scale, height: height * scale };
}
