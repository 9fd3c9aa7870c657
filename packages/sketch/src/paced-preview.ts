import type { Clock } from '@darkroom/time';
import type { SketchProgress } from './sketch.ts';

/**
 * Reports progress at the pace of a picture that takes `paceMs`, however fast it is really drawn. Waits in the main
 * thread, so that the worker thread is free for the next picture. Once `signal` aborts, nothing more is reported and
 * `finish` rejects.
 */
export function createPacedPreview({
  paceMs,
  clock,
  signal,
  onProgress,
}: {
  paceMs: number;
  clock: Clock;
  signal: AbortSignal;
  onProgress(progress: SketchProgress): void;
}) {
  const startedAt = clock.now();
  let reached = -1;
  let queue: Promise<void> = Promise.resolve();

  async function waitUntil(share: number): Promise<void> {
    const wait = startedAt + paceMs * share - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
  }

  async function report(progress: SketchProgress): Promise<void> {
    await waitUntil(progress.percent / 100);
    reached = Math.max(reached, progress.percent);
    onProgress({ ...progress, percent: reached });
  }

  return {
    add(progress: SketchProgress): void {
      queue = queue.then(() => report(progress));
      queue.catch(() => undefined);
    },
    /** Resolves when everything added is reported and `paceMs` are over. */
    async finish(): Promise<void> {
      await queue;
      await waitUntil(1);
    },
  };
}
