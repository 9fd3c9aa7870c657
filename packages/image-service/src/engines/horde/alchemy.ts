import { ServiceError } from '@darkroom/image-api/contract';
import { type Clock, withTimeout } from '@darkroom/time';
import sharp from 'sharp';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { CallFailed } from '../call-failed.ts';
import { receivedPicture } from '../clean-picture.ts';
import { DrawingError, type DrawnPicture, type DrawOptions, type Source } from '../engine.ts';
import type { Inputs } from '../inputs.ts';
import { percentByTime } from '../percent-by-time.ts';
import { alphaOf, isTransparent, withAlpha } from '../transparency.ts';
import type { HordeClient } from './client.ts';
import { isForNow, isGone } from './explain.ts';

/** What the Horde calls what is made of one picture without a prompt. */
type Alchemy = Extract<Source, { operation: 'upscale' | 'remove_background' }>;

export const isAlchemy = (source: Source | undefined): source is Alchemy =>
  source?.operation === 'upscale' || source?.operation === 'remove_background';

const formOf = (source: Alchemy): string =>
  source.operation === 'upscale' ? `RealESRGAN_x${source.scale}plus` : 'strip_background';

const POLL_MS = 2_000;
/** A form takes seconds once a machine has it. */
const USUAL_MS = 30_000;
const FETCH_MS = 60_000;
const CONNECT_MS = 5_000;
const MAX_BYTES = 64 * 1024 ** 2;

const NO_ADDRESS = 'What the AI Horde sent is not the address of a picture.';
const GONE = 'The picture of the AI Horde is not where it says.';

type PictureFetcher = ReturnType<typeof createPictureFetcher>;

/**
 * Fetches what an alchemist has made, which comes as an address alone, and that from a stranger's machine: from the
 * public internet by https, or from the Horde itself.
 */
export function createPictureFetcher(horde: string) {
  const trustedOrigins = [new URL(horde).origin];
  const agent = createGuardedAgent({
    trustedOrigins,
    connectTimeoutMs: CONNECT_MS,
    maxResponseSize: MAX_BYTES,
  });
  return {
    /** Rejects with a `CallFailed` where there is no answer, with a `DrawingError` where it may not be fetched. */
    async fetch(address: string, signal: AbortSignal): Promise<Uint8Array> {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (!url || (url.protocol !== 'https:' && !trustedOrigins.includes(url.origin)))
        throw new DrawingError(NO_ADDRESS);
      try {
        return await withTimeout(
          FETCH_MS,
          async (bounded) => {
            const { statusCode, body } = await agent.request(url, { method: 'GET', signal: bounded });
            const bytes = await body.bytes();
            if (statusCode >= 300 && statusCode < 500) throw new DrawingError(GONE);
            if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
            return bytes;
          },
          { signal },
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DrawingError) throw error;
        if (error instanceof ServiceError) throw new DrawingError(NO_ADDRESS, { cause: error });
        throw new CallFailed('the picture of an alchemist got no answer', { cause: error });
      }
    },
    close: agent.close,
  };
}

/** Waits for the end of a form and fetches its picture. Undefined where the Horde knows it no more. */
export async function awaitAlchemy(
  request: string,
  source: Alchemy,
  {
    client,
    fetcher,
    inputs,
    clock,
    signal,
    onProgress,
  }: { client: HordeClient; fetcher: PictureFetcher; inputs: Inputs; clock: Clock } & Pick<
    DrawOptions,
    'signal' | 'onProgress'
  >,
): Promise<DrawnPicture | undefined> {
  let begunAt: number | undefined;
  for (;;) {
    try {
      const { state, result } = await client.form(request, signal);
      if (state === 'faulted' || state === 'cancelled')
        throw new DrawingError('The machines of the AI Horde could not do this.');
      if (state === 'done') {
        const address = result?.[formOf(source)];
        if (typeof address !== 'string') throw new DrawingError('The AI Horde ended without a picture.');
        const picture = await receivedPicture(await fetcher.fetch(address, signal), 'the AI Horde');
        return source.operation === 'upscale' ? inputs.finish(picture) : cutOut(inputs.picture, picture);
      }
      const now = clock.now();
      begunAt = state === 'processing' ? (begunAt ?? now) : undefined;
      onProgress({ percent: percentByTime(now - (begunAt ?? now), USUAL_MS), anew: begunAt === undefined });
    } catch (error) {
      if (isGone(error)) return undefined;
      if (!isForNow(error)) throw error;
    }
    await clock.sleep(POLL_MS, signal);
  }
}

/** The pixels of the picture, as transparent as what came back: only that is taken of a stranger's machine. */
async function cutOut(picture: Uint8Array, { bytes }: DrawnPicture): Promise<DrawnPicture> {
  if (!(await isTransparent(bytes)))
    throw new DrawingError('The AI Horde sent the picture back with its background.');
  const { width, height } = await sharp(picture).metadata();
  return { bytes: await withAlpha(picture, alphaOf(bytes, { width, height })), width, height };
}

/** What is asked of the Horde's alchemists. */
export const alchemyBody = (source: Alchemy, picture: string) => ({
  forms: [{ name: formOf(source) }],
  source_image: picture,
  slow_workers: true,
});
