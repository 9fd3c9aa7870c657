import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import { CallFailed } from '../call-failed.ts';
import type { DrawOptions } from '../engine.ts';
import { createProgressThrottle } from '../progress-throttle.ts';
import { DrawingLost, NotTaken } from '../servers/drawing-lost.ts';
import { createPatience, type PollTimes } from '../servers/patience.ts';
import type { WebuiClient } from './client.ts';
import { explainRefusal } from './explain.ts';
import type { WebuiServer } from './server.ts';

/** For so long a server may say that it draws nothing, after it has begun, before its answer counts as lost. */
const IDLE_MS = 60_000;

export interface DrawingOnServer extends Pick<DrawOptions, 'signal' | 'onProgress'> {
  server: WebuiServer;
  times: PollTimes;
  clock: Clock;
  log: Log;
  taskId: string;
}

/**
 * Draws in one call that is answered with the picture, as base64. Where the program tells, progress and previews are
 * asked for meanwhile, and whatever ends the call before its answer interrupts the server: nobody else could fetch
 * the picture.
 */
export async function drawAtOnce({
  server,
  draw,
  times,
  clock,
  log,
  taskId,
  signal: stop,
  onProgress,
}: DrawingOnServer & {
  draw(signal: AbortSignal): Promise<string[]>;
}): Promise<string | undefined> {
  const { client } = server;
  const tells = server.program === 'progress';
  const ended = new AbortController();
  const signal = AbortSignal.any([stop, ended.signal]);

  /** Whether the server was seen to draw since it was asked. */
  let begun = false;
  const onBusy = () => {
    begun = true;
  };
  let answered = false;
  let failed = false;
  async function ask(): Promise<string[]> {
    try {
      return await draw(signal);
    } catch (error) {
      const explained = explainRefusal(error);
      // A proxy that does not wait any longer: the server draws on.
      const lost = begun && explained instanceof NotTaken;
      const reason = lost ? new DrawingLost(explained.message, { cause: error }) : explained;
      answered =
        error instanceof CallFailed && error.status !== undefined && !(reason instanceof DrawingLost);
      failed = error instanceof CallFailed && error.status === 500;
      throw reason;
    }
  }

  try {
    const drawing = ask();
    const [picture] = await (tells
      ? Promise.race([drawing, watch({ client, times, clock, signal, onProgress, onBusy })])
      : drawing);
    answered = true;
    // Somebody who interrupts or skips it there gets what is drawn so far, and so do we.
    const after = tells
      ? await client.progress({ preview: false }, signal).catch(() => undefined)
      : undefined;
    if (after?.state.interrupted || after?.state.skipped)
      throw new DrawingLost('the drawing was interrupted on the server');
    return picture;
  } catch (error) {
    const say = (problem: string) => (failure: unknown) =>
      log.debug({ server: server.name, taskId, err: failure }, problem);
    if (tells && !answered) await client.interrupt().catch(say('a drawing could not be interrupted'));
    if (tells && failed) await server.noteFailed(signal).catch(say('a server was not asked what it draws'));
    throw error;
  } finally {
    ended.abort();
  }
}

/**
 * Reports the progress that a server tells, until the signal aborts. Rejects with `DrawingLost` where it is silent for
 * too long, or draws nothing any more. `onBusy`: it draws.
 */
async function watch({
  client,
  times,
  clock,
  signal,
  onProgress,
  onBusy,
}: Pick<DrawingOnServer, 'times' | 'clock' | 'signal' | 'onProgress'> & {
  client: Pick<WebuiClient, 'progress'>;
  onBusy(): void;
}): Promise<never> {
  const progress = createProgressThrottle({ onProgress, clock, signal });
  const patient = createPatience(times, clock);
  let shown: string | undefined;
  let busyAt: number | undefined;
  for (;;) {
    await clock.sleep(times.pollMs, signal);
    const now = await patient(client.progress({ preview: true }, signal));
    if (!now) continue;
    if (now.state.job_count !== 0) {
      onBusy();
      busyAt = clock.now();
    } else if (busyAt !== undefined && clock.now() - busyAt >= IDLE_MS)
      throw new DrawingLost('the server draws nothing any more');
    progress.percent(Math.min(99, Math.floor(100 * now.progress)));
    if (now.current_image && now.current_image !== shown) {
      shown = now.current_image;
      progress.preview(Buffer.from(shown, 'base64'));
    }
  }
}
