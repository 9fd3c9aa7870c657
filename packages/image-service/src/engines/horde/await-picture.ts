import type { Clock } from '@darkroom/time';
import { receivedPicture } from '../clean-picture.ts';
import { DrawingError, type DrawnPicture, type Progress } from '../engine.ts';
import { percentByTime } from '../percent-by-time.ts';
import type { HordeClient } from './client.ts';
import { isForNow, isGone } from './explain.ts';
import type { Generation } from './responses.ts';

/** Answers are the same for a second; ten in a second are allowed for all drawings together. */
const POLL_MS = 2_000;
/** How long a request waits that no machine could take. */
const IMPOSSIBLE_MS = 60_000;

/**
 * Waits for the end of a request and fetches its picture, with the kudos that it took. Undefined where the Horde
 * knows it no more: after twenty minutes in which nobody took it, it is gone. Its progress is the time that has
 * passed since a machine took it: before that, and once that has let it go, nothing is drawn, and whoever cancels pays
 * nothing.
 */
export async function awaitPicture(
  request: string,
  {
    client,
    clock,
    signal,
    onProgress,
  }: { client: HordeClient; clock: Clock; signal: AbortSignal; onProgress(progress: Progress): void },
): Promise<{ picture: DrawnPicture; kudos: number } | undefined> {
  const startedAt = clock.now();
  let possibleAt = startedAt;
  let begunAt: number | undefined;
  let percent = 0;
  for (;;) {
    try {
      const { done, faulted, is_possible, kudos, ...waiting } = await client.check(request, signal);
      if (faulted) throw new DrawingError('The machines of the AI Horde could not draw this.');
      if (done) return { picture: await pictureOf(await client.generations(request, signal)), kudos };
      const now = clock.now();
      if (is_possible) possibleAt = now;
      if (now - possibleAt >= IMPOSSIBLE_MS) throw new DrawingError(IMPOSSIBLE);
      begunAt = waiting.processing > 0 ? (begunAt ?? now) : undefined;
      const endsInMs = 1_000 * Math.max(1, waiting.wait_time);
      percent = begunAt === undefined ? 0 : Math.max(percent, percentByTime(now - begunAt, endsInMs));
      onProgress({
        percent,
        anew: begunAt === undefined,
        ...(waiting.queue_position > 0 && { position: waiting.queue_position }),
        ...(waiting.wait_time > 0 && { endsInMs }),
      });
    } catch (error) {
      if (isGone(error)) return undefined;
      if (!isForNow(error)) throw error;
    }
    await clock.sleep(POLL_MS, signal);
  }
}

const IMPOSSIBLE =
  'No machine of the AI Horde can draw this now. Choose another model, or a smaller picture.';

async function pictureOf([generation]: readonly Generation[]): Promise<DrawnPicture> {
  if (!generation) throw new DrawingError('The AI Horde ended without a picture.');
  if (generation.censored || generation.gen_metadata.some(({ type }) => type === 'censorship'))
    throw new DrawingError('The AI Horde censored this picture.');
  return receivedPicture(Buffer.from(generation.img, 'base64'), 'the AI Horde');
}
