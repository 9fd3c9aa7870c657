import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import { encodePreview, PREVIEW_SIDE } from '@darkroom/sketch';
import type { Clock } from '@darkroom/time';
import sharp from 'sharp';
import { pixelsIn } from './clean-picture.ts';
import type { Progress } from './engine.ts';

/** A percentage and the preview that belongs to it arrive a moment apart, and are reported together. */
const INTERVAL_MS = 100;
/** Of a preview as the server sends it. */
const MAX_PIXELS = PICTURE_LIMITS.resultSide ** 2;

/**
 * Reports progress that may arrive faster than it can be encoded: at most every 100 ms, one report at a time, the
 * newest percentage with the newest preview.
 */
export function createProgressThrottle({
  onProgress,
  clock,
  signal,
}: {
  onProgress(progress: Progress): void;
  clock: Clock;
  /** After it aborts, nothing is reported. */
  signal: AbortSignal;
}) {
  let percent = 0;
  let reported = 0;
  let pendingPreview: Uint8Array | undefined;
  let running = false;

  async function reportPending(): Promise<void> {
    while (percent > reported || pendingPreview) {
      await clock.sleep(INTERVAL_MS, signal);
      const newest = pendingPreview;
      pendingPreview = undefined;
      const preview = newest && (await smallPreview(newest));
      if (signal.aborted) return;
      reported = percent;
      onProgress({ percent, ...(preview && { preview }) });
    }
  }

  function start(): void {
    if (running || signal.aborted) return;
    running = true;
    // The only error there can be is that the signal aborted.
    reportPending()
      .catch(() => undefined)
      .finally(() => {
        running = false;
      });
  }

  return {
    /** A lower percentage than the last one is ignored. */
    percent(value: number): void {
      if (value <= percent) return;
      percent = value;
      start();
    },

    /** A preview as the server sends it. */
    preview(bytes: Uint8Array): void {
      pendingPreview = bytes;
      start();
    },
  };
}

/** A preview of the server as a small WebP; undefined where it is no picture, or cannot be made small enough. */
export async function smallPreview(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await encodePreview(
      sharp(pixelsIn(bytes), { limitInputPixels: MAX_PIXELS }).resize(PREVIEW_SIDE, PREVIEW_SIDE, {
        fit: 'inside',
        withoutEnlargement: true,
      }),
    );
  } catch {
    return undefined;
  }
}
