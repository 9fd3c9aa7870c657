import { type Clock, withTimeout } from '@darkroom/time';
import type { Progress } from '../engines/engine.ts';
import type { Files } from '../files/files.ts';
import type { Queue, Run, SavedProgress } from './queue.ts';

/** How often the progress of a task is written at most. */
const INTERVAL_MS = 500;
/** An end that is expected so much earlier or later is the same one. */
const NOISE_MS = 5_000;

/** How long the end of a run waits for its preview to be gone. */
const CLOSE_MS = 2_000;

export type ProgressWriter = ReturnType<typeof createProgressWriter>;

/** Writes the progress of one run to the database: at most twice a second, one write at a time, always the newest. */
export function createProgressWriter({
  run,
  queue,
  files,
  clock,
}: {
  run: Run;
  queue: Queue;
  files: Files;
  clock: Clock;
}) {
  const ended = new AbortController();
  let previewName: string | undefined;
  let known: SavedProgress = { progress: 0, position: null, endsAt: null };
  let newPreview: Uint8Array | undefined;
  let dirty = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;

  async function write(bytes: Uint8Array | undefined): Promise<void> {
    if (bytes) {
      previewName ??= await files.reserveName(run.taskId, 'preview');
      if (previewName !== undefined) await files.write(previewName, bytes);
    }
    await queue.saveProgress(run, {
      ...known,
      ...(previewName !== undefined && { preview: previewName }),
    });
  }

  async function writeWhileDirty(): Promise<void> {
    while (dirty) {
      const wait = writtenAt + INTERVAL_MS - clock.now();
      // No longer where the clock was set back.
      if (wait > 0) await clock.sleep(Math.min(wait, INTERVAL_MS), ended.signal).catch(() => undefined);
      if (ended.signal.aborted) break;
      const preview = newPreview;
      newPreview = undefined;
      dirty = false;
      writtenAt = clock.now();
      // Not worth failing the task: if the database is lost, the lease will tell.
      await write(preview).catch(() => undefined);
    }
    writing = undefined;
  }

  async function removePreview(): Promise<void> {
    await writing;
    if (previewName !== undefined) await files.remove(previewName);
  }

  return {
    /** How far it is, also where that is not written yet. */
    percent: (): number => known.progress,

    update({ percent, anew = false, preview, position, endsInMs }: Progress): void {
      const reached = {
        progress: Math.max(anew ? 0 : known.progress, Math.min(99, Math.floor(percent))),
        position: position ?? null,
        endsAt: endsInMs === undefined ? null : clock.now() + endsInMs,
      };
      if (isSame(reached, known) && !preview) return;
      known = reached;
      newPreview = preview ?? newPreview;
      dirty = true;
      writing ??= writeWhileDirty();
    },

    /**
     * Stops writing and removes the preview, which is of use to nobody any more. One that cannot be removed in time
     * expires: a place that hangs holds up neither the next task nor a stop.
     */
    async close(): Promise<void> {
      ended.abort();
      await withTimeout(CLOSE_MS, removePreview).catch(() => undefined);
    },
  };
}

const isSame = (one: SavedProgress, other: SavedProgress): boolean =>
  one.progress === other.progress &&
  one.position === other.position &&
  Math.abs((one.endsAt ?? 0) - (other.endsAt ?? 0)) <= NOISE_MS;
